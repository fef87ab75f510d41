import { createServer, type JsonSchema, type Server, type Tool, type ToolAnnotations } from '@ccmcp/core';
import type { GroupDefinition } from '@ccmcp/core/groups';
import { baseType } from './body-plan.ts';
import { briefText } from './brief-text.ts';
import { type Api, type CallableOperation, callOperation } from './call-operation.ts';
import { Authorizer } from './credentials.ts';
import { DocumentError, quote } from './document-error.ts';
import type { Documents } from './documents.ts';
import { type FindTarget, followUpsOf, type LinkTarget } from './follow-ups.ts';
import { planInput } from './input-plan.ts';
import { entriesOf, isObject, type JsonObject, memberOf, textOf } from './json.ts';
import { defaultLimits } from './limits.ts';
import { loadDocuments } from './load-documents.ts';
import { messageOf, type Operation, operationsOf } from './operations.ts';
import type { OfferedOperation, OpenApiOptions, OpenApiServer, SkippedOperation } from './options.ts';
import { type DocumentedResponse, isJsonType, planOutput, responsesOf } from './output-plan.ts';
import { Schemas } from './schemas.ts';
import { operationSelector } from './select-operations.ts';
import { createSender } from './sender.ts';
import { baseUrlOf } from './server-url.ts';
import { readResponse, toResult } from './to-result.ts';
import { toolNames } from './tool-names.ts';

/** The maximum length of a tool's description. */
const maxDescription = 600;
/** The maximum length of the instructions. */
const maxInstructions = 1000;

/**
 * Serves an HTTP API that OpenAPI 3.0, 3.1 or 3.2 describes: each operation is a tool. The document is an object, its text as JSON or
 * YAML, or its URL. What can't be served is in `skipped`, and the rest is served. Rejects if the document can't be read, or offers nothing.
 *
 * @example
 * const pets = await openApi(new URL('https://pets.example.com/openapi.json'), { include: { tags: ['pets'] } });
 */
export async function openApi(document: object | string | URL, options: OpenApiOptions = {}): Promise<OpenApiServer> {
  assertOptions(options);
  const documents = await loadDocuments(document as JsonObject | string | URL, {
    references: options.references ?? [],
    privateAddresses: options.privateAddresses,
    fetch: options.fetch,
    maxDocument: options.maxDocument ?? defaultLimits.maxDocument,
    timeoutMs: options.timeoutMs ?? defaultLimits.timeoutMs,
  });
  const compiled = new ApiTools(documents, options);
  const server = createServer(await serverOptions(documents, options, compiled));
  for (const offered of compiled.tools) compiled.addTo(server, offered);
  if (compiled.operations.length === 0) throw noOperations(compiled.skipped);
  if (options.resultBudget !== false) {
    const { resultBudget } = await import('@ccmcp/core/result-budget');
    server.use(resultBudget(options.resultBudget));
  }
  return Object.defineProperties(server, {
    operations: { value: compiled.operations },
    skipped: { value: compiled.skipped },
  }) as OpenApiServer;
}

interface NamedTool {
  readonly tool: Tool;
  readonly operation: Operation;
}

/** The operations of a document as tools. */
class ApiTools {
  readonly operations: OfferedOperation[] = [];
  readonly skipped: SkippedOperation[] = [];
  readonly tools: readonly NamedTool[];
  readonly #documents: Documents;
  readonly #options: OpenApiOptions;
  readonly #api: Api;
  readonly #schemas: Schemas;
  readonly #outputs: Schemas;
  readonly #targets: LinkTarget[] = [];

  constructor(documents: Documents, options: OpenApiOptions) {
    const { auth, headers = {}, baseUrl, fetch, privateAddresses } = options;
    this.#documents = documents;
    this.#options = options;
    this.#schemas = new Schemas(documents, 'input');
    this.#outputs = new Schemas(documents, options.outputSchemas === 'exact' ? 'exact' : 'relaxed');
    const named = [baseUrl, documents.address].flatMap((url) => (url === undefined ? [] : new URL(url).hostname));
    this.#api = {
      authorizer: new Authorizer(documents, auth),
      send: createSender({ fetch, privateAddresses, trusted: new Set(named) }),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      timeoutMs: options.timeoutMs ?? defaultLimits.timeoutMs,
      retries: options.retries ?? defaultLimits.retries,
      maxResponse: options.maxResponse ?? defaultLimits.maxResponse,
    };
    const found = operationsOf(documents);
    const operations = found.flatMap(({ operation }) => operation ?? []);
    for (const { error, pointer } of found.flatMap((each) => (each.error === undefined ? [] : each))) {
      this.skipped.push({ place: pointer, reason: error });
    }
    // Named before they are selected: what is offered must not change a name.
    const names = toolNames(operations);
    const isOffered = operationSelector(options);
    this.tools = operations
      .filter(isOffered)
      .flatMap((operation) => this.#compile(operation, names.get(operation) as string) ?? []);
  }

  /** Adds a tool to a server, or skips it if its schemas can't be used. */
  addTo(server: Server, { tool, operation }: NamedTool): void {
    try {
      server.tools.add(tool);
      const { method, path, tags } = operation;
      this.operations.push({ tool: tool.name, method, path, tags });
    } catch (error) {
      this.skipped.push({ place: operation.pointer, reason: (error as Error).message });
    }
  }

  #compile(operation: Operation, name: string): NamedTool | undefined {
    try {
      return { tool: this.#toTool(operation, name), operation };
    } catch (error) {
      this.skipped.push({ place: operation.pointer, reason: messageOf(error) });
      return undefined;
    }
  }

  #toTool(operation: Operation, name: string): Tool {
    const documents = this.#documents;
    const base = baseUrlOf(operation, documents, this.#options);
    const { isCredential } = this.#api.authorizer;
    const input = planInput(operation, { documents, schemas: this.#schemas, isCredential });
    const responses = responsesOf(operation, documents);
    const { outputSchemas } = this.#options;
    const output = outputSchemas === 'none' ? undefined : planOutput(responses, { documents, schemas: this.#outputs });
    const callable = { operation, target: { path: operation.path, base }, input, accept: acceptOf(responses) };
    const own: LinkTarget = { tool: name, operation, input };
    this.#targets.push(own);
    return {
      name,
      description: describe(operation),
      annotations: annotationsOf(operation.method),
      input: input.schema,
      ...(output !== undefined && { output }),
      timeoutMs: Number.POSITIVE_INFINITY,
      call: (args: JsonObject, context) => this.#call(callable, { own, args, output, responses }, context),
    };
  }

  async #call(
    callable: CallableOperation,
    { own, args, output, responses }: CallPlan,
    caller: Parameters<typeof callOperation>[3],
  ): Promise<unknown> {
    const response = await callOperation(this.#api, callable, args, caller);
    const read = readResponse(response);
    const documented = documentedResponse(responses, response.status);
    const documents = this.#documents;
    const isSuccess = response.status >= 200 && response.status < 300;
    const context = { own, args, response, body: read.value, documented, documents, find: this.#find };
    const followUps = isSuccess ? followUpsOf(context) : [];
    const { method, path } = callable.operation;
    return toResult(read, { title: `${method} ${path}`, output, followUps });
  }

  readonly #find: FindTarget = ({ id, pointer }) =>
    this.#targets.find(({ operation }) =>
      id === undefined ? operation.pointer === pointer : operation.value.operationId === id,
    );
}

interface CallPlan {
  readonly own: LinkTarget;
  readonly args: JsonObject;
  readonly output: JsonSchema | undefined;
  readonly responses: readonly DocumentedResponse[];
}

function documentedResponse(responses: readonly DocumentedResponse[], status: number): DocumentedResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return [String(status), range, 'default']
    .map((wanted) => responses.find((each) => each.status.toUpperCase() === wanted.toUpperCase()))
    .find((each) => each !== undefined);
}

function describe({ value, mark, method, path }: Operation): string {
  const given = isObject(mark) ? textOf(mark.description) : undefined;
  if (given !== undefined) return briefText(given, maxDescription);
  const summary = textOf(value.summary);
  const more = textOf(value.description);
  const parts = [summary, more === summary ? undefined : more].flatMap((each) =>
    each === undefined ? [] : each.trim(),
  );
  const [first = `${method} ${path}`, second] = parts;
  const text =
    second === undefined || second.startsWith(first) ? (second ?? first) : `${first.replace(/[.\s]*$/, '')}. ${second}`;
  const deprecated = value.deprecated === true ? 'Deprecated. ' : '';
  return briefText(deprecated + text, maxDescription);
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

function annotationsOf(method: string): ToolAnnotations {
  if (safe.has(method)) return { readOnlyHint: true };
  if (method === 'PUT' || method === 'DELETE')
    return { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
  // Whether others destroy something is not known: clients assume so.
  return { readOnlyHint: false, idempotentHint: false };
}

/** The types of the documented responses, JSON first. */
function acceptOf(responses: readonly DocumentedResponse[]): string {
  const types = responses
    .filter(({ status }) => status.startsWith('2') || status === 'default')
    .flatMap(({ value }) => entriesOf(value.content).map(([type]) => baseType(type)))
    .filter((type) => /^[\w.+*-]{1,80}\/[\w.+*-]{1,80}$/.test(type));
  const unique = [...new Set(types)].slice(0, 10);
  const json = unique.filter(isJsonType);
  const others = unique.filter((type) => !isJsonType(type)).map((type) => `${type};q=0.9`);
  return [...(json.length === 0 && others.length === 0 ? ['application/json'] : json), ...others, '*/*;q=0.1'].join(
    ', ',
  );
}

async function serverOptions(documents: Documents, options: OpenApiOptions, { tools }: ApiTools) {
  const { server = {}, groups: isGrouped = false } = options;
  const info = documents.root.value.info;
  const title = textOf(memberOf(info, 'title'))?.slice(0, 200);
  const about = textOf(memberOf(info, 'summary')) ?? textOf(memberOf(info, 'description'));
  const name = title
    ?.replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  const groups = isGrouped ? [await groupsOf(documents, tools)] : [];
  return {
    name: name === undefined || name === '' ? 'api' : name,
    version: textOf(memberOf(info, 'version'))?.slice(0, 100) ?? '0.0.0',
    ...(title !== undefined && { title }),
    ...(about !== undefined && { instructions: briefText(about, maxInstructions) }),
    ...server,
    extensions: [...groups, ...(server.extensions ?? [])],
  };
}

/** One group per tag that has tools. */
async function groupsOf(documents: Documents, tools: readonly NamedTool[]) {
  const described = new Map(
    (Array.isArray(documents.root.value.tags) ? documents.root.value.tags : [])
      .filter(isObject)
      .map((tag) => [tag.name, textOf(tag.description) ?? textOf(tag.summary)]),
  );
  const byName = new Map<string, GroupDefinition & { tools: string[] }>();
  for (const { tool, operation } of tools) {
    for (const tag of operation.tags) {
      const name = groupName(tag);
      if (name === '') continue;
      const description = briefText(described.get(tag) ?? `Tools for ${tag}`, 200);
      const group = byName.get(name) ?? { name, title: tag.slice(0, 100), description, tools: [] };
      group.tools.push(tool.name);
      byName.set(name, group);
    }
  }
  const { groups } = await import('@ccmcp/core/groups');
  return groups([...byName.values()]);
}

function groupName(tag: string): string {
  const name = tag
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return name.slice(0, 64).replace(/^-+|-+$/g, '');
}

function noOperations(skipped: readonly SkippedOperation[]): DocumentError {
  const [first] = skipped;
  const why =
    first === undefined
      ? 'it has none, or "include" and "exclude" leave none'
      : `${quote(first.place)}: ${first.reason}`;
  return new DocumentError(`the document offers no operation: ${why}`);
}

const known = [
  'include',
  'exclude',
  'auth',
  'headers',
  'baseUrl',
  'serverVariables',
  'references',
  'privateAddresses',
  'fetch',
  'timeoutMs',
  'retries',
  'maxResponse',
  'maxDocument',
  'resultBudget',
  'outputSchemas',
  'groups',
  'server',
] satisfies (keyof OpenApiOptions)[];

function assertOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw new TypeError(`openApi has no option ${quote(unknown)}: it has ${known.join(', ')}`);
}
