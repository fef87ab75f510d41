import { limits as coreLimits, type Server, type Tool, ToolError, tool } from '@ccmcp/core';
import { parseTextTemplate, TemplateError, type TextTemplate } from './text-template.ts';
import { limits } from '../limits.ts';

const maxName = coreLimits.server.toolName.value;
const maxRegistered = limits.ccmcp.registeredTools.value;
const maxDescription = limits.ccmcp.description.value;

/** Tools that make and remove other tools while the server runs. What they make lives as long as the server does. */
export function registrationTools(server: Server, otherTools: () => Iterable<string>): Tool[] {
  /** The names of what was made, each with what names that look like it have in common. */
  const registered = new Map<string, string>();
  const tellReaders = (): void => {
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
      refuseName(name, { server, registered, otherTools });
      refuseHidden('description', description);
      refuseHidden('template', template);
      if (registered.size >= maxRegistered && !registered.has(name)) {
        throw new ToolError(`There are already ${maxRegistered} registered tools: unregister some first`);
      }
      const made = textTool(name, description, parse(template));
      const replaced = server.tools.remove(name);
      server.tools.add(made);
      registered.set(name, skeletonOf(name));
      tellReaders();
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
        tellReaders();
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

/** Whoever chooses a tool by its name must not get another than the one they mean. */
function refuseName(name: string, inUse: NamesInUse): void {
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

function refuseHidden(what: string, text: string): void {
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

/** Names that every JavaScript object has: a program that keeps tools in an object could take them for something else. */
const inherited: ReadonlySet<string> = new Set(
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].map((name) => name.toLowerCase()),
);

/** Characters of tool names, after case is set aside, that a reader takes for one another. */
const readAs: ReadonlyMap<string, string> = new Map([
  ['1', 'l'],
  ['i', 'l'],
  ['0', 'o'],
  ['5', 's'],
  ['-', '_'],
  ['.', '_'],
  ['rn', 'm'],
  ['vv', 'w'],
]);

/** What names that a reader takes for one another have in common; the names consist of A-Z a-z 0-9 _ . - */
function skeletonOf(name: string): string {
  return name.toLowerCase().replace(/rn|vv|[1i05.-]/g, (found) => readAs.get(found) ?? found);
}

/** True for a name that every JavaScript object has, in any case. */
function isInheritedName(name: string): boolean {
  return inherited.has(name.toLowerCase());
}

let hidden: RegExp | undefined;

/**
 * Characters that a person doesn't see, or that change how the rest is shown: controls (terminal escapes among them),
 * changes of direction, tags, fillers, line separators, and what means something else everywhere. Joiners and variation
 * selectors belong to scripts and emoji, and count only where they follow nothing visible.
 */
function pattern(): RegExp {
  // Made here, when it is needed: an expression with \p takes time, and the server must start.
  const visible = String.raw`[\p{L}\p{M}\p{Emoji}]--\p{DI}`;
  const never = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800]--[\n\r\t\u200c\u200d\ufe0e\ufe0f]`;
  return new RegExp(`[${never}]|(?<![${visible}])[\\u200c\\ufe0e\\ufe0f]|(?<![[${visible}]\\ufe0f])\\u200d`, 'v');
}

/** The first character of a text that a person would not see, and where it stands. */
function findHidden(text: string): { character: string; position: number } | undefined {
  hidden ??= pattern();
  const found = hidden.exec(text);
  if (found === null) return undefined;
  const point = (found[0].codePointAt(0) as number).toString(16).toUpperCase();
  return { character: `U+${point.padStart(4, '0')}`, position: found.index };
}
