import { toOneLine } from '../../terminal/print.ts';
import { type SchemaRow, schemaRows } from './schema-rows.ts';
import { alternativesOf, propertiesOf, requiredOf, type Schema, toSchema } from './schema.ts';
import { promptSignature, toolSignature, typeName } from './signature.ts';
import { tokenEstimate, toolTokens } from '@ccmcp/core/client';

/** The maximum number of scopes to list. */
const maxScopes = 20;

/** Describes who may call a tool; empty if the server does not say. */
export function describeAccess(schemes: unknown): string[] {
  if (!Array.isArray(schemes)) return [];
  return schemes.flatMap((scheme: unknown) => {
    const { type, scopes } = Object(scheme) as Record<string, unknown>;
    if (type === 'noauth') return ['by anyone'];
    if (type !== 'oauth2') return [];
    const named = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string').slice(0, maxScopes) : [];
    return [named.length === 0 ? 'by signed-in callers' : `by callers with the scopes ${named.join(', ')}`];
  });
}

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: ToolHints;
  /** Its security schemes, where tools of a server differ. */
  securitySchemes?: unknown;
}

/** A prompt as a server lists it. */
export interface ListedPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: readonly { name: string; title?: string; description?: string; required?: boolean }[];
}

/** Formats the description of a tool with all details. */
export function toolPage(tool: ListedTool, example: string | undefined): string {
  const input = toSchema(tool.inputSchema);
  const hints = describeHints(tool.annotations ?? {});
  return [
    toOneLine(toolSignature(tool)),
    ...introduction(tool.title ?? tool.annotations?.title, tool.description),
    ...argumentSection(input),
    ...(tool.outputSchema === undefined ? [] : outputSection(toSchema(tool.outputSchema))),
    ...(hints.length > 0 ? ['', 'According to the server, it', ...hints.map((hint) => `  ${hint}`)] : []),
    ...accessSection(tool.securitySchemes),
    '',
    'Example',
    `  ${example === undefined ? noExample : toOneLine(example)}`,
    '',
    `Costs a model about ${toolTokens(tool)} tokens (${tokenEstimate}).`,
  ].join('\n');
}

const noExample = 'No values could be made up that fit these arguments.';

/** Formats the description of a prompt with all details. */
export function promptPage(prompt: ListedPrompt, example: string): string {
  const rows = (prompt.arguments ?? []).map(({ name, title, description, required }) => ({
    path: name,
    type: 'string',
    isRequired: required === true,
    about: [title, description].flatMap((text) => (text === undefined ? [] : text.trim().split('\n'))),
  }));
  return [
    toOneLine(promptSignature(prompt)),
    ...introduction(prompt.title, prompt.description),
    ...(rows.length > 0 ? ['', 'Arguments', ...rows.flatMap(rowLines)] : ['', 'Arguments', '  none']),
    '',
    'Example',
    `  ${toOneLine(example)}`,
  ].join('\n');
}

function accessSection(schemes: unknown): string[] {
  const lines = describeAccess(schemes);
  return lines.length === 0 ? [] : ['', 'May be called', ...lines.map((line) => `  ${toOneLine(line)}`)];
}

function introduction(title: string | undefined, description: string | undefined): string[] {
  const texts = [title, description].filter((text): text is string => typeof text === 'string' && text.trim() !== '');
  return texts.flatMap((text) => ['', ...text.trim().split('\n')]);
}

function argumentSection(input: Schema): string[] {
  const rows = sortRows(schemaRows(input), input);
  const alternatives = alternativesOf(input).filter(({ required }) => required !== undefined);
  const needs = alternatives.length > 1 ? alternatives.map((one) => requiredOf(one).join(' and ')).filter(Boolean) : [];
  return [
    '',
    'Arguments',
    ...(rows.length === 0 ? ['  none'] : rows.flatMap(rowLines)),
    ...(needs.length > 1 ? [`  One of these is needed: ${needs.map(toOneLine).join('; ')}`] : []),
  ];
}

/** Required members first, as in the signature, each followed by its own members. */
function sortRows(rows: readonly SchemaRow[], input: Schema): SchemaRow[] {
  const required = new Set(requiredOf(input));
  const names = [...propertiesOf(input).keys()].filter((name) => required.has(name));
  const isOf = (name: string, path: string): boolean =>
    path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
  const first = names.flatMap((name) => rows.filter(({ path }) => isOf(name, path)));
  const taken = new Set(first);
  return [...taken, ...rows.filter((row) => !taken.has(row))];
}

function outputSection(output: Schema): string[] {
  const rows = schemaRows(output);
  return [
    '',
    'Gives',
    ...(rows.length === 0 ? [`  ${toOneLine(typeName(output, output, 0))}`] : rows.flatMap(rowLines)),
  ];
}

function rowLines({ path, type, isRequired, about }: SchemaRow): string[] {
  const isInside = /[.[]/.test(path);
  const needed = isRequired ? ', required' : '';
  const indent = isInside ? '    ' : '  ';
  return [
    `${indent}${toOneLine(path)} (${toOneLine(type)}${needed})`,
    ...about.map((line) => `${indent}    ${toOneLine(line)}`),
  ];
}

/** The hints of a tool as a server sends them. */
interface ToolHints {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** Describes the annotations of a tool; empty if there are none. */
export function describeHints({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolHints): string[] {
  const facts = [
    readOnlyHint === true && 'only reads',
    readOnlyHint === false && destructiveHint !== false && 'changes things',
    destructiveHint === true && readOnlyHint !== true && 'may destroy something',
    destructiveHint === false && readOnlyHint !== true && 'adds, and destroys nothing',
    idempotentHint === true && 'may be repeated without harm',
    idempotentHint === false && readOnlyHint !== true && 'does something more each time',
    openWorldHint === true && 'reaches beyond the server, such as into the web',
    openWorldHint === false && 'stays within the server',
  ];
  return facts.filter((line): line is string => typeof line === 'string');
}
