import { isStandardSchema } from '../../schema/standard.ts';
import { featureOptions, featureWords, misplacedOptions } from './feature-options.ts';

/** What to write instead of methods of other libraries. */
const remedies = {
  tools: 'write server.tools.add(tool("…", { input: … }, (args, context) => …))',
  resources: 'write server.resources.add(resource("…", { name: "…" }, (uri, context) => …))',
  templates: 'write server.templates.add(template("…", { name: "…" }, (variables, context) => …))',
  prompts: 'write server.prompts.add(prompt("…", { arguments: { … } }, (args, context) => …))',
  handlers: 'write server.use((operation, next) => …)',
  serving:
    "import { serveStdio } from '@ccmcp/core/stdio' and write serveStdio(server); " +
    "over HTTP it is serveHttp(server, { port: 3000 }) of '@ccmcp/core/http'",
};

/** Methods that only servers of other libraries have. A class, since its methods are hidden from loops, and created at once. */
class Server {
  tool(): never {
    throw foreignMethod('tool', 'tools');
  }
  addTool(): never {
    throw foreignMethod('addTool', 'tools');
  }
  registerTool(): never {
    throw foreignMethod('registerTool', 'tools');
  }
  resource(): never {
    throw foreignMethod('resource', 'resources');
  }
  addResource(): never {
    throw foreignMethod('addResource', 'resources');
  }
  registerResource(): never {
    throw foreignMethod('registerResource', 'resources');
  }
  addResourceTemplate(): never {
    throw foreignMethod('addResourceTemplate', 'templates');
  }
  registerResourceTemplate(): never {
    throw foreignMethod('registerResourceTemplate', 'templates');
  }
  prompt(): never {
    throw foreignMethod('prompt', 'prompts');
  }
  addPrompt(): never {
    throw foreignMethod('addPrompt', 'prompts');
  }
  registerPrompt(): never {
    throw foreignMethod('registerPrompt', 'prompts');
  }
  setRequestHandler(): never {
    throw foreignMethod('setRequestHandler', 'handlers');
  }
  setNotificationHandler(): never {
    throw foreignMethod('setNotificationHandler', 'handlers');
  }
  connect(): never {
    throw foreignMethod('connect', 'serving');
  }
  start(): never {
    throw foreignMethod('start', 'serving');
  }
  listen(): never {
    throw foreignMethod('listen', 'serving');
  }
  run(): never {
    throw foreignMethod('run', 'serving');
  }
}

function foreignMethod(name: string, kind: keyof typeof remedies): TypeError {
  return new TypeError(`A server has no "${name}": ${remedies[kind]}`);
}

/** The prototype of every server: a method that only servers of other libraries have says what to write instead. */
export const foreignMethods: object = Server.prototype;

/*
 * Rejects options of other MCP libraries with the line to write instead. JavaScript authors get no compiler errors, and
 * an ignored option would be missed silently.
 */

/** A kind of thing that a server offers, and how it is defined. */
export interface Kind {
  readonly what: 'tool' | 'resource' | 'template' | 'prompt';
  /** How one is defined, after its name or address. */
  readonly line: string;
  /** The member that has the handler. */
  readonly handler: 'call' | 'read' | 'get';
  /** The members that it alone has. */
  readonly own: readonly string[];
  /** Returns names of members in other libraries, by the name here. Called for unknown members only. */
  words(): Readonly<Record<string, readonly string[]>>;
}

const handlers = ['handler', 'execute', 'callback', 'cb', 'load', 'run', 'func', 'fn', 'invoke', 'call', 'read', 'get'];
const schemas = ['inputSchema', 'input_schema', 'parameters', 'params', 'paramsSchema', 'argsSchema', 'args', 'schema'];
const described = ['name', 'title', 'description', 'icons', '_meta', 'annotations'];
const meta = { _meta: ['meta'] };
const mimeType = { mimeType: ['mime_type', 'mimetype', 'contentType'] };

/** How tools are defined. */
export const toolKind: Kind = {
  what: 'tool',
  line: '{ description: "…", input: … }, (args, context) => …',
  handler: 'call',
  own: ['input', 'output', 'timeoutMs', 'resumeOnce', 'checked', 'listedFor', 'call'],
  words: () => ({
    input: [...schemas, 'inputs', 'arguments'],
    output: ['outputSchema', 'output_schema', 'outputs', 'returns', 'resultSchema'],
    annotations: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
    timeoutMs: ['timeout'],
    ...featureWords.tool,
    ...meta,
  }),
};

/** How resources are defined. */
export const resourceKind: Kind = {
  what: 'resource',
  line: '{ name: "…" }, (uri, context) => …',
  handler: 'read',
  own: ['uri', 'mimeType', 'size', 'listed', 'cache', 'read'],
  words: () => ({ ...mimeType, ...featureWords.resource, ...meta }),
};

/** How templates are defined. */
export const templateKind: Kind = {
  what: 'template',
  line: '{ name: "…" }, (variables, context) => …',
  handler: 'read',
  own: ['uriTemplate', 'mimeType', 'cache', 'complete', 'list', 'read'],
  words: () => ({ complete: ['arguments', 'completers'], ...mimeType, ...featureWords.template, ...meta }),
};

/** How prompts are defined. */
export const promptKind: Kind = {
  what: 'prompt',
  line: '{ arguments: { topic: { required: true } } }, (args, context) => …',
  handler: 'get',
  own: ['arguments', 'get'],
  words: () => ({ arguments: [...schemas, 'input'], ...featureWords.prompt, ...meta }),
};

/** Rejects arguments of `tool` and the like in the order, or with the names, of another library. */
export function assertDefinition(kind: Kind, key: unknown, options: unknown, handler: unknown): void {
  if (typeof key !== 'string') {
    throw new TypeError(`${kind.what}() takes its ${keyName(kind)} first: write ${lineOf(kind, nameIn(key))}`);
  }
  const reject = (problem: string): never => {
    throw new TypeError(`${titleOf(kind, key)} has ${problem}: write ${lineOf(kind, key)}`);
  };
  if (!isOptions(options)) reject(`${nameOf(options)} in place of its options`);
  const given = options as Record<string, unknown>;
  const first = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' }[kind.what];
  if (given[first] !== undefined) reject(`"${first}" among its options, and that comes first`);
  const early = handlers.find((word) => given[word] !== undefined);
  if (early !== undefined) reject(`"${early}" among its options, and the handler comes last`);
  assertWords(kind, key, given);
  if (typeof handler !== 'function') reject('no handler, a function that comes last');
}

/** Rejects a definition object with the members of another library. */
export function assertMembers(kind: Kind, key: string, item: object): void {
  const members = item as Record<string, unknown>;
  if (typeof members[kind.handler] !== 'function') {
    const other = handlers.find((word) => typeof members[word] === 'function');
    const instead = other === undefined ? '' : ` instead of "${other}"`;
    throw new TypeError(
      `${titleOf(kind, key)} has no handler: give it a "${kind.handler}" function${instead}, or write ${lineOf(kind, key)}`,
    );
  }
  // An object of a class may have any members.
  if (isPlain(item)) assertWords(kind, key, members);
}

function assertWords(kind: Kind, key: string, members: Readonly<Record<string, unknown>>): void {
  for (const name in members) {
    if (members[name] !== undefined && !isMember(kind, name)) assertWord(kind, key, { name, members });
  }
}

function isMember({ what, own }: Kind, name: string): boolean {
  return own.includes(name) || described.includes(name) || (featureOptions[what] as readonly string[]).includes(name);
}

function assertWord(
  kind: Kind,
  key: string,
  { name, members }: { name: string; members: Record<string, unknown> },
): void {
  if (misplacedOptions[name] !== undefined && members[name] === true) {
    throw new TypeError(`${titleOf(kind, key)} has "${name}", ${misplacedOptions[name]}`);
  }
  const [word] = Object.entries(kind.words()).find(([, others]) => others.includes(name)) ?? [];
  if (word !== undefined && members[word] === undefined) {
    const remedy = word === 'annotations' ? `annotations: { ${name}: … }` : `${word}: …`;
    throw new TypeError(`${titleOf(kind, key)} has "${name}": write "${remedy}" instead, as in ${lineOf(kind, key)}`);
  }
  if (word === undefined && isSchema(members[name])) {
    const remedy = kind.what === 'tool' ? `input: { ${name}: … }` : `arguments: { ${name}: { required: true } }`;
    const problem = `has a schema for "${name}" among its options`;
    throw new TypeError(`${titleOf(kind, key)} ${problem}: write "${remedy}" instead, as in ${lineOf(kind, key)}`);
  }
}

function isSchema(value: unknown): boolean {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && isStandardSchema(value);
}

function isOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isSchema(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'function') return 'a function';
  return value === undefined || value === null ? 'nothing' : 'something else';
}

function nameIn(key: unknown): string {
  const { name, uri, uriTemplate } = Object(key) as Record<string, unknown>;
  const found = [name, uri, uriTemplate].find((one) => typeof one === 'string');
  return found ?? '…';
}

function keyName({ what }: Kind): string {
  if (what === 'resource') return 'address';
  return what === 'template' ? 'pattern' : 'name';
}

function titleOf({ what }: Kind, key: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} ${JSON.stringify(key)}`;
}

function lineOf({ what, line }: Kind, key: string): string {
  return `${what}(${JSON.stringify(key)}, ${line})`;
}
