import { type Server, type Tool, tool, ToolError } from '@ccmcp/core';
import { Buffer } from 'node:buffer';

/** The name of a tool. */
const maxName = 128;
const maxRegistered = 1000;
const maxDescription = 2000;

/** Tools that register and unregister other tools at run time, until the server ends. */
export function registrationTools(server: Server, otherTools: () => Iterable<string>): Tool[] {
  /** The registered names, with their skeletons. */
  const registered = new Map<string, string>();
  const notifyReaders = (): void => {
    server.resources.updated('config://server');
    server.resources.updated('help://commands');
  };

  const registerTool = tool(
    'register_tool',
    {
      description: 'Make a new tool from a text with {placeholders}; each placeholder becomes a required argument',
      input: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            pattern: `^[A-Za-z0-9_.-]{1,${maxName}}$`,
            description: `Name of the new tool: 1 to ${maxName} of the characters A-Z a-z 0-9 _ . -`,
          },
          description: { type: 'string', maxLength: maxDescription, description: 'What the new tool does' },
          template: { type: 'string', description: 'Such as: The answer to {question} is 42' },
        },
        required: ['name', 'description', 'template'],
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ name, description, template }) => {
      rejectName(name, { server, registered, otherTools });
      rejectHidden('description', description);
      rejectHidden('template', template);
      if (registered.size >= maxRegistered && !registered.has(name)) {
        throw new ToolError(`There are already ${maxRegistered} registered tools: unregister some first`);
      }
      const created = textTool(name, description, parse(template));
      const replaced = server.tools.remove(name);
      server.tools.add(created);
      registered.set(name, skeletonOf(name));
      notifyReaders();
      return `${replaced ? 'Replaced' : 'Registered'} tool: ${name}`;
    },
  );

  const unregisterTool = tool(
    'unregister_tool',
    {
      description: 'Remove a tool that was made with register_tool',
      input: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name of the tool to remove' } },
        required: ['name'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ name }) => {
      if (registered.delete(name)) {
        server.tools.remove(name);
        notifyReaders();
        return `Unregistered tool: ${name}`;
      }
      if (server.tools.has(name)) throw new ToolError(`"${name}" is a built-in tool and can't be unregistered`);
      throw new ToolError(`There is no registered tool with this name${nameHint(registered)}`);
    },
  );

  return [registerTool, unregisterTool];
}

interface NamesInUse {
  server: Server;
  registered: ReadonlyMap<string, string>;
  otherTools(): Iterable<string>;
}

/** Rejects a name that could be mistaken for that of another tool. */
function rejectName(name: string, inUse: NamesInUse): void {
  const { server, registered } = inUse;
  if (registered.has(name)) return;
  if (server.tools.has(name)) {
    throw new ToolError(`"${name}" is a built-in tool and can't be replaced: choose another name`);
  }
  if (isInheritedName(name)) {
    throw new ToolError(`"${name}" is the name of a part of every object in JavaScript: choose another name`);
  }
  const skeleton = skeletonOf(name);
  for (const other of namesIn(inUse)) {
    if ((registered.get(other) ?? skeletonOf(other)) !== skeleton) continue;
    const problem = other === name ? 'is taken by another server' : `looks like the tool "${other}"`;
    throw new ToolError(`"${name}" ${problem} that is already there: choose another name`);
  }
}

function* namesIn({ server, otherTools }: NamesInUse): Generator<string> {
  for (const { name } of server.tools) yield name;
  yield* otherTools();
}

function rejectHidden(what: string, text: string): void {
  const found = findHidden(text);
  if (found === undefined) return;
  throw new ToolError(
    `The ${what} has a character at position ${found.position} that people can't see (${found.character}): leave it out`,
  );
}

function parse(template: string): TextTemplate {
  try {
    return parseTextTemplate(template);
  } catch (error) {
    throw error instanceof TemplateError ? new ToolError(`Template: ${error.message}`) : error;
  }
}

function textTool(name: string, description: string, template: TextTemplate): Tool {
  const properties = Object.fromEntries(template.placeholders.map((placeholder) => [placeholder, { type: 'string' }]));
  const input = { type: 'object', properties, required: template.placeholders, additionalProperties: false } as const;
  return tool(name, { description, input, annotations: { readOnlyHint: true, openWorldHint: false } }, (args) => {
    try {
      return template.render(args as Record<string, string>);
    } catch (error) {
      throw error instanceof TemplateError ? new ToolError(error.message) : error;
    }
  });
}

function nameHint(registered: ReadonlyMap<string, string>): string {
  return registered.size === 0
    ? ': none is registered'
    : `. Registered: ${[...registered.keys()].slice(0, 20).join(', ')}`;
}

/** Names that every JavaScript object inherits: a client that stores tools in an object could confuse them. */
const inherited: ReadonlySet<string> = new Set(
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].map((name) => name.toLowerCase()),
);

/** Confusable characters of lowercase names. */
const confusables: ReadonlyMap<string, string> = new Map([
  ['1', 'l'],
  ['i', 'l'],
  ['0', 'o'],
  ['5', 's'],
  ['-', '_'],
  ['.', '_'],
  ['rn', 'm'],
  ['vv', 'w'],
]);

/** The skeleton of a name, equal for confusable names. Names consist of A-Z a-z 0-9 _ . - */
function skeletonOf(name: string): string {
  return name.toLowerCase().replace(/rn|vv|[1i05.-]/g, (found) => confusables.get(found) ?? found);
}

/** True for an inherited name, in upper or lower case. */
function isInheritedName(name: string): boolean {
  return inherited.has(name.toLowerCase());
}

let hidden: RegExp | undefined;

/**
 * Matches characters that are invisible or change how the rest is displayed: controls (terminal escapes too), bidi
 * controls, tags, fillers, line separators, private use. Joiners and variation selectors belong to scripts and emoji, and
 * match only if they follow nothing visible.
 */
function hiddenPattern(): RegExp {
  // Compiled on first use: expressions with \p are slow to compile, and the server must start fast.
  const visible = String.raw`[\p{L}\p{M}\p{Emoji}]--\p{DI}`;
  const never = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800]--[\n\r\t\u200c\u200d\ufe0e\ufe0f]`;
  return new RegExp(`[${never}]|(?<![${visible}])[\\u200c\\ufe0e\\ufe0f]|(?<![[${visible}]\\ufe0f])\\u200d`, 'v');
}

/** The first invisible character of a text, with its position. */
function findHidden(text: string): { character: string; position: number } | undefined {
  hidden ??= hiddenPattern();
  const found = hidden.exec(text);
  if (found === null) return undefined;
  const point = (found[0].codePointAt(0) as number).toString(16).toUpperCase();
  return { character: `U+${point.padStart(4, '0')}`, position: found.index };
}

const maxTemplateBytes = 64 * 1024;
const maxOutputBytes = 1024 * 1024;
const maxPlaceholders = 64;
const maxNameLength = 64;

/** An invalid template or value; the message says why and what to do. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/** A parsed template. */
export interface TextTemplate {
  /** The names of the placeholders, each once, in order. */
  readonly placeholders: readonly string[];
  /** Inserts values literally: braces in them are not expanded. */
  render(values: Record<string, string>): string;
}

type Piece = { readonly text: string } | { readonly placeholder: string };

/** Parses a template such as `Hello, {name}!`; `{{` and `}}` are literal braces. */
export function parseTextTemplate(template: string): TextTemplate {
  if (Buffer.byteLength(template) > maxTemplateBytes) {
    throw new TemplateError('The template is larger than 64 KiB; shorten it');
  }
  const pieces = parsePieces(template);
  const names = pieces.flatMap((piece) => ('placeholder' in piece ? [piece.placeholder] : []));
  const placeholders = [...new Set(names)];
  if (placeholders.length > maxPlaceholders) {
    throw new TemplateError(`The template has ${placeholders.length} placeholders; use at most ${maxPlaceholders}`);
  }
  return { placeholders, render: (values) => fill(pieces, values) };
}

function parsePieces(template: string): Piece[] {
  const pieces: Piece[] = [];
  const brace = /[{}]/g;
  let at = 0;
  for (let found = brace.exec(template); found !== null; found = brace.exec(template)) {
    const { index } = found;
    pieces.push({ text: template.slice(at, index) });
    if (template[index + 1] === found[0]) {
      pieces.push({ text: found[0] });
      at = index + 2;
    } else if (found[0] === '{') {
      const placeholder = parseName(template, index);
      pieces.push({ placeholder });
      at = index + placeholder.length + 2;
    } else {
      throw new TemplateError(`'}' at position ${index} closes nothing: write '}}' for a literal brace`);
    }
    brace.lastIndex = at;
  }
  pieces.push({ text: template.slice(at) });
  return pieces;
}

function parseName(template: string, open: number): string {
  const close = template.indexOf('}', open);
  if (close === -1) {
    throw new TemplateError(`'{' at position ${open} is never closed: add '}', or write '{{' for a literal brace`);
  }
  const name = template.slice(open + 1, close);
  if (name.length > maxNameLength || !/^[A-Za-z_]\w*$/.test(name)) {
    const problem = name === '' ? 'is empty' : `is not a name (${JSON.stringify(name.slice(0, 40))})`;
    throw new TemplateError(
      `The placeholder at position ${open} ${problem}: use letters, digits and '_', not starting with a digit, ` +
        `at most ${maxNameLength} in all, or write '{{' and '}}' for literal braces`,
    );
  }
  return name;
}

function fill(pieces: readonly Piece[], values: Record<string, string>): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const text = 'text' in piece ? piece.text : valueOf(piece.placeholder, values);
    bytes += Buffer.byteLength(text);
    if (bytes > maxOutputBytes) throw new TemplateError('The filled-in text is larger than 1 MiB; use shorter values');
    texts.push(text);
  }
  return texts.join('');
}

function valueOf(name: string, values: Record<string, string>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new TemplateError(`There is no value for the placeholder '${name}': give one`);
  return value;
}
