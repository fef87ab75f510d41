import { Lexer, parseDocument, Parser } from 'yaml';
import { isObject } from '../../jsonrpc/message.ts';
import type { Frontmatter } from './skill.ts';

/** The two parts of a `SKILL.md`. */
export interface SkillText {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The Markdown after the frontmatter. */
  readonly body: string;
}

/** The maximum length of the frontmatter, in characters. */
export const longestHead = 64 * 1024;
/** The maximum nesting depth of the frontmatter. */
export const deepestHead = 32;
/** The maximum YAML tokens in it. */
const mostParts = 4096;
/** The maximum length of a description, in characters. */
const longestDescription = 1024;
/** The maximum length of `compatibility`, in characters. */
const longestCompatibility = 500;
/** The maximum length of a skill name, in characters. */
const longestName = 64;

/** Splits a `SKILL.md` and parses its frontmatter. Throws an error that says what is wrong. */
export function parseSkillText(text: string): SkillText {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0];
  const rest = text.slice(opening?.length);
  const closing = /^---[ \t]*(\r?\n|$)/m.exec(rest);
  if (opening === undefined || closing === null) {
    throw new Error('it must begin with "---", fields such as "name: …", and "---" on a line of its own');
  }
  const head = rest.slice(0, closing.index);
  if (head.length > longestHead) throw new Error(`the frontmatter is longer than ${longestHead} characters`);
  return { frontmatter: parseYaml(head), body: rest.slice(closing.index + closing[0].length) };
}

function parseYaml(head: string): Readonly<Record<string, unknown>> {
  checkComplexity(head);
  // The leading newline stands for the dashes, so that line numbers in errors are right.
  const document = parseDocument(`\n${head}`, { schema: 'core', stringKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`its frontmatter is not valid YAML: ${firstLine(problem.message)}`);
  let read: unknown;
  try {
    // Aliases could expand without limit.
    read = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new Error('its frontmatter uses an alias ("*x"): write the value out in both places', { cause: error });
  }
  if (!isObject(read)) throw new Error('its frontmatter must be fields, such as "name: …"');
  const text = JSON.stringify(read, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new Error('its frontmatter has a number that JSON has not');
    return value;
  });
  return JSON.parse(text) as Record<string, unknown>;
}

/** Deep nesting would overflow the stack and end the process; thousands of fields take seconds. */
function checkComplexity(head: string): void {
  const parser = new Parser();
  let parts = 0;
  for (const lexeme of new Lexer().lex(head)) {
    parts += 1;
    if (parts > mostParts) throw new Error(`its frontmatter has more than ${mostParts} words, marks and lines`);
    Array.from(parser.next(lexeme));
    if (parser.stack.length > deepestHead)
      throw new Error(`its frontmatter is nested more than ${deepestHead} levels deep`);
  }
}

/** Validates the fields of the format. Throws an error that names the field. */
export function checkFrontmatter(fields: Readonly<Record<string, unknown>>): Frontmatter {
  const { name, description, license, compatibility, metadata } = fields;
  if (name === undefined || name === null) throw new Error('"name" is missing');
  if (typeof name !== 'string') throw notAString('name');
  checkName(name);
  if (description === undefined || description === null || (typeof description === 'string' && isBlank(description))) {
    throw new Error('"description" is missing: say what the skill does, and when to use it');
  }
  if (typeof description !== 'string') throw notAString('description');
  checkLength('description', description, longestDescription);
  if (license !== undefined && typeof license !== 'string') throw new Error('"license" must be a string');
  if (compatibility !== undefined) {
    if (typeof compatibility !== 'string' || compatibility === '') throw new Error('"compatibility" must be a string');
    checkLength('compatibility', compatibility, longestCompatibility);
  }
  if (metadata !== undefined) checkMetadata(metadata);
  checkAllowedTools(fields['allowed-tools']);
  return { ...fields, name, description };
}

function notAString(field: string): Error {
  return new Error(`"${field}" must be a string: write it in quotes`);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function checkName(name: string): void {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= longestName) return;
  throw new Error(
    `"name" must be 1 to ${longestName} of a-z, 0-9 and single hyphens between them: ${JSON.stringify(name.slice(0, 80))}`,
  );
}

function checkLength(field: string, text: string, longest: number): void {
  const length = Array.from(text).length;
  if (length > longest) throw new Error(`"${field}" has ${length} characters, and may have ${longest}`);
}

function checkMetadata(metadata: unknown): void {
  if (!isObject(metadata) || Object.values(metadata).some((value) => typeof value !== 'string')) {
    throw new Error('"metadata" must be a map of strings: write numbers and dates in quotes');
  }
  const reserved = Object.keys(metadata).find((key) => /^io\.modelcontextprotocol(\.[^/]*)?\//.test(key));
  if (reserved !== undefined) throw new Error(`"metadata" has "${reserved}", which is reserved for the protocol`);
}

function checkAllowedTools(tools: unknown): void {
  const isList = Array.isArray(tools) && tools.every((tool) => typeof tool === 'string');
  if (tools === undefined || typeof tools === 'string' || isList) return;
  throw new Error('"allowed-tools" must be names with spaces between them, or a list of names');
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/:$/, '');
}
