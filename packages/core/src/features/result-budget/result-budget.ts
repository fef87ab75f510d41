import { bytesPerToken } from '../../client/calls/token-estimate.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import {
  type ContentBlock,
  image,
  type ResourceContents,
  type ResourceLink,
  resourceLink,
  text,
} from '../../protocol/content.ts';
import type { CallToolResult, ReadResourceResult } from '../../protocol/results.ts';
import { fromBase64 } from '../../runtime/base64.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import type { JsonSchema } from '../../schema/infer.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import type { Context } from '../../server/call/context.ts';
import type { Middleware, Operation } from '../../server/call/operation.ts';
import { template, tool } from '../../server/define/define.ts';
import { leastResultBytes, resultBytesOf } from '../client-quirks/client-quirks.ts';
import { looksLikeLog } from './cut-text.ts';
import { count } from './describe.ts';
import {
  createResultId,
  cursorOf,
  type KeepLimits,
  type KeptPage,
  keepPage,
  nextCursor,
  ownerOf,
  type PageOwner,
  readMoreName,
  readPage,
} from './kept-pages.ts';
import { overhead, type Page, type Pages, paginate } from './paginate.ts';
import { type Budget, fits, isMedia, wireLength } from './size.ts';

/** Options of `resultBudget`. */
export interface ResultBudgetOptions {
  /** The estimated tokens of the text and structured content of a result, at least 500. Default: 10 000 tokens. */
  tokens?: number;
  /** The bytes of a result as JSON, images and audio included, at least 2000. Default: 1 MiB of JSON. */
  bytes?: number;
  /** How long the rest of a result is kept after its last use, in milliseconds. Default: a quarter of an hour. */
  keepMs?: number;
  /** How much is kept for one caller, in characters; their oldest pages go first. Default: 16 Mi characters. */
  keptPerCaller?: number;
  /** How much is kept for all callers together, in characters. Default: 128 Mi characters. */
  keptInAll?: number;
  /** Tells whether a text is a log, of which both ends are shown. Default: most lines begin with a time or a level. */
  isLog?: (text: string) => boolean;
  /** Scales down an image that is larger than what is left of the budget. Undefined: it is replaced by a link. */
  resize?: (picture: LargeImage) => Awaitable<ResizedImage | undefined>;
  /** The calls whose results are never cut. */
  exempt?: (operation: Operation) => boolean;
  /** Whether results are no larger than their client is known to give its model. Default: true. */
  clientLimits?: boolean;
}

/** An image that is larger than the budget. */
export interface LargeImage {
  readonly data: Uint8Array;
  readonly mimeType: string;
  /** The bytes that the image may take in base64. */
  readonly maxBytes: number;
}

/** An image that was scaled down. */
export interface ResizedImage {
  readonly data: Uint8Array | string;
  readonly mimeType: string;
}

const minutes = 60_000;
const mebi = 1024 * 1024;

/** The smallest budgets: a page has room for content beside the sentence about the rest. */
const minTokens = 500;
const minBytes = 2000;

const unknownCursor =
  'Unknown cursor: it does not exist, has expired, or belongs to another caller. Call the tool again for its result';

/** Everything that a result is cut by. */
interface Settings extends Budget, KeepLimits {
  readonly isLog: (text: string) => boolean;
  readonly resize: ResultBudgetOptions['resize'];
  /** The URI of a page. */
  uriOf(cursor: string): string;
}

/**
 * Middleware that limits how much one result of a tool may cost a model. A larger result is cut between rows or lines, and says
 * what is left out. The rest is read page by page with the tool `read_more`, or as a resource.
 *
 * @example
 * server.use(resultBudget({ tokens: 5000 }));
 */
export function resultBudget(options: ResultBudgetOptions = {}): Middleware {
  assertKnownOptions('resultBudget', options, [
    'tokens',
    'bytes',
    'keepMs',
    'keptPerCaller',
    'keptInAll',
    'isLog',
    'resize',
    'exempt',
    'clientLimits',
  ]);
  const { isLog = looksLikeLog, resize, exempt, clientLimits = true } = options;
  let base = 'result:///';
  const settings: Settings = {
    bytes: atLeast('bytes', minBytes, options.bytes ?? mebi),
    textBytes: atLeast('tokens', minTokens, options.tokens ?? 10_000) * bytesPerToken,
    keepMs: atLeast('keepMs', 1, options.keepMs ?? 15 * minutes),
    keptPerCaller: atLeast('keptPerCaller', 0, options.keptPerCaller ?? 16 * mebi),
    keptInAll: atLeast('keptInAll', 0, options.keptInAll ?? 128 * mebi),
    isLog,
    resize,
    uriOf: (cursor) => base + cursor,
  };
  // What fits this fits every client.
  const least = clientLimits ? withTextBytes(settings, leastResultBytes) : settings;
  const settingsFor = ({ clientInfo }: Operation): Settings =>
    clientLimits ? withTextBytes(settings, resultBytesOf(clientInfo)) : settings;
  const middleware: Middleware = (operation, next) => {
    const { method, params } = operation;
    if (method === 'resources/read' && typeof params.uri === 'string' && params.uri.startsWith(base)) {
      return readResource(operation, params.uri, settings);
    }
    if (method !== 'tools/call' || exempt?.(operation) === true) return next();
    // Read now: the request may be over when a task ends.
    const { sessionKey } = operation;
    const name = typeof params.name === 'string' ? params.name : '';
    const limit = (outcome: unknown): CallToolResult | Promise<CallToolResult> => {
      const result = outcome as CallToolResult;
      if (!Array.isArray(result.content) || fits(result, least)) return result;
      const budget = settingsFor(operation);
      return fits(result, budget) ? result : cutResult({ operation, sessionKey, name, result, settings: budget });
    };
    const outcome = next();
    return outcome instanceof Promise ? outcome.then(limit) : limit(outcome);
  };
  middleware.install = (server) => {
    base = `result:///${server.info.name.replaceAll(/[^\w.-]/g, '-')}/`;
    // Handlers get the operation that middleware sees.
    server.tools.add(readMoreTool((cursor, context) => readMore(context as Operation, cursor, settings)));
    const about = { name: 'result', title: 'The rest of a result', description: 'What a result of a tool left out' };
    server.templates.add(
      template(`${base}{cursor}`, about, async ({ cursor }, context) => {
        const { contents } = await readResource(context as Operation, base + String(cursor), settings);
        return contents;
      }),
    );
  };
  return middleware;
}

function withTextBytes(settings: Settings, bytes: number): Settings {
  return bytes < settings.textBytes ? { ...settings, textBytes: Math.max(bytes, minBytes) } : settings;
}

function readMoreTool(read: (cursor: string, context: Context) => Promise<CallToolResult>): ReturnType<typeof tool> {
  return tool(
    readMoreName,
    {
      title: 'Read more',
      description: 'Reads the next part of a result that was cut. The cut result says which cursor to pass.',
      input: {
        type: 'object',
        properties: { cursor: { type: 'string', description: 'As the cut result gives it' } },
        required: ['cursor'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ cursor }, context) => read(cursor, context),
  );
}

interface Cutting {
  readonly operation: Operation;
  readonly sessionKey: string | undefined;
  /** The name of the tool as this server knows it. */
  readonly name: string;
  readonly result: CallToolResult;
  readonly settings: Settings;
}

async function cutResult(cutting: Cutting): Promise<CallToolResult> {
  const { operation, sessionKey, settings } = cutting;
  const { auth, requirement } = operation;
  const owner: PageOwner = { name: await ownerOf({ auth, sessionKey }), scopes: requirement };
  const { bytes, textBytes } = settings;
  const limit = Math.min(bytes, textBytes);
  const result = await limitMedia(cutting, owner, limit);
  if (fits(result, settings)) return result;
  const pages = paginate(result, { limit, maxKept: settings.keptPerCaller, isLog: settings.isLog });
  const structured = await validStructure(operation, result, pages);
  const kept = await keepRest(cutting, owner, pages);
  const { cursor } = kept;
  const rest =
    cursor === undefined
      ? `the rest ${kept.reason}: ask for less at a time`
      : `read the rest with ${readMoreFor(cutting)}, cursor "${cursor}"`;
  const note = `Showing ${pages.first.label}; ${rest}.${structured.reason ?? ''}`;
  const { structuredContent: _, ...others } = result;
  return {
    ...others,
    content: [
      ...pages.first.content,
      text(note),
      ...(cursor === undefined ? [] : [linkTo(settings.uriOf(cursor), 'The rest of this result')]),
    ],
    ...(structured.value !== undefined && { structuredContent: structured.value }),
    ...(structured.isError && { isError: true }),
  };
}

/** `read_more` by the name that the client knows: a composed server may put a prefix before the names of its parts. */
function readMoreFor({ operation, name }: Cutting): string {
  const asked = String(operation.serialize().params.name);
  return (asked.endsWith(name) ? asked.slice(0, asked.length - name.length) : '') + readMoreName;
}

/** Keeps the pages after the first one. */
async function keepRest(
  { operation, settings }: Cutting,
  owner: PageOwner,
  { rest, isWhole }: Pages,
): Promise<{ cursor?: string; reason?: string }> {
  const pages: Page[] = [];
  let isComplete = isWhole;
  let length = 0;
  for (const page of rest) {
    length += wireLength(page) + owner.name.length + 200;
    if (length > settings.keptPerCaller) {
      isComplete = false;
      break;
    }
    pages.push(page);
  }
  if (pages.length === 0) return { reason: 'is too large to be kept' };
  const id = createResultId();
  // The last one first: a page that is there always has its next one.
  for (const [index, { content, label }] of [...pages.entries()].reverse()) {
    const isLast = index === pages.length - 1;
    const end =
      isLast && !isComplete ? `${label}; what follows was too large to be kept: ask for less at a time` : label;
    const page: KeptPage = { content, label: end, isLast };
    if (!(await tryToKeep(operation, { cursor: cursorOf(id, index + 1), page, owner, limits: settings }))) {
      return { reason: 'could not be kept now' };
    }
  }
  return { cursor: cursorOf(id, 1) };
}

/** A result is worth more than its rest: a store that fails costs the rest only. */
async function tryToKeep(operation: Operation, kept: Parameters<typeof keepPage>[1]): Promise<boolean> {
  try {
    return await keepPage(operation, kept);
  } catch (error) {
    operation.host.reportError('The rest of a result could not be kept', error);
    return false;
  }
}

/** The structured content of the first page, if it is still what the tool's schema promises. */
async function validStructure(
  operation: Operation,
  result: CallToolResult,
  { structured }: Pages,
): Promise<{ value?: unknown; reason?: string; isError?: boolean }> {
  if (result.structuredContent === undefined) return {};
  const schema = operation.tool?.outputSchema;
  if (structured === result.structuredContent) return { value: structured };
  if (structured !== undefined && (schema === undefined || (await isValid(schema, structured)))) {
    return { value: structured };
  }
  const reason = ' Structured content is left out: cut to this size, it would not fit the output schema of the tool.';
  if (schema === undefined) return { reason: ' Structured content is left out: it is larger than the budget.' };
  // A successful result must have structured content that fits the schema, and clients check it. An error need not.
  if (result.isError) return { reason };
  return { reason: `${reason} Only for that reason, the result is marked as an error.`, isError: true };
}

const compiled = new WeakMap<JsonSchema, CompiledSchema>();

async function isValid(schema: JsonSchema, value: unknown): Promise<boolean> {
  try {
    let known = compiled.get(schema);
    if (known === undefined) compiled.set(schema, (known = compileSchema(schema, { side: 'output' })));
    return (await known.check(value)).ok;
  } catch {
    // A schema of another server that this one can't use.
    return false;
  }
}

/** Replaces images, audio and blobs that are larger than what the text leaves of the budget. */
async function limitMedia(cutting: Cutting, owner: PageOwner, limit: number): Promise<CallToolResult> {
  const { result, settings } = cutting;
  if (!result.content.some(isMedia)) return result;
  const { content, structuredContent } = result;
  const isText = (block: ContentBlock): boolean => !isMedia(block);
  const textual =
    wireLength(content.filter(isText)) + (structuredContent === undefined ? 0 : wireLength(structuredContent));
  let room = settings.bytes - Math.min(textual, limit);
  const limited: ContentBlock[] = [];
  for (const block of content) {
    if (isText(block) || wireLength(block) <= room) {
      if (!isText(block)) room -= wireLength(block);
      limited.push(block);
      continue;
    }
    const resized = await resizeImage(cutting, block, room - overhead);
    if (resized !== undefined) room -= wireLength(resized);
    limited.push(...(resized === undefined ? await replaceMedia(cutting, owner, block) : [resized]));
  }
  return { ...result, content: limited };
}

async function resizeImage(
  { operation, settings: { resize } }: Cutting,
  block: ContentBlock,
  maxBytes: number,
): Promise<ContentBlock | undefined> {
  if (resize === undefined || block.type !== 'image' || maxBytes <= 0) return undefined;
  const data = fromBase64(block.data);
  if (data === undefined) return undefined;
  try {
    const resized = await resize({ data, mimeType: block.mimeType, maxBytes });
    const made = resized === undefined ? undefined : { ...block, ...image(resized.data, resized.mimeType) };
    return made !== undefined && wireLength(made) <= maxBytes + overhead ? made : undefined;
  } catch (error) {
    operation.host.reportError('"resize" of resultBudget failed', error);
    return undefined;
  }
}

async function replaceMedia(
  { operation, settings }: Cutting,
  owner: PageOwner,
  block: ContentBlock,
): Promise<ContentBlock[]> {
  const { kind, data, mimeType } = readMedia(block);
  const size = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  const what = `${kind} (${mimeType}, ${count(size)} bytes)`;
  const cursor = cursorOf(createResultId(), 1);
  const page: KeptPage = { blob: data, mimeType };
  if (
    data.length > settings.keptPerCaller ||
    !(await tryToKeep(operation, { cursor, page, owner, limits: settings }))
  ) {
    return [text(`Left out: ${what}, larger than the budget and too large to be kept.`)];
  }
  const link = linkTo(settings.uriOf(cursor), `${what}, larger than the budget`);
  return [{ ...link, mimeType, size }];
}

function readMedia(block: ContentBlock): { kind: string; data: string; mimeType: string } {
  if (block.type === 'image') return { kind: 'An image', data: block.data, mimeType: block.mimeType };
  if (block.type === 'audio') return { kind: 'Audio', data: block.data, mimeType: block.mimeType };
  const { blob, mimeType = 'application/octet-stream' } = (block as { resource: { blob: string; mimeType?: string } })
    .resource;
  return { kind: 'A file', data: blob, mimeType };
}

/** Serves `read_more`. */
async function readMore(operation: Operation, cursor: string, settings: Settings): Promise<CallToolResult> {
  const page = await readPage(operation, cursor, settings);
  if (page === undefined) return { content: [text(unknownCursor)], isError: true };
  if ('blob' in page) {
    const { blob, mimeType } = page;
    const note = `This is no text (${mimeType}): read it as the resource ${settings.uriOf(cursor)}.`;
    const link = { ...linkTo(settings.uriOf(cursor), 'The rest of this result'), mimeType };
    return { content: [text(note), { ...link, size: Math.floor((blob.length * 3) / 4) }], isError: false };
  }
  const name = String(operation.serialize().params.name);
  return { content: [...page.content, text(noteOf(page, cursor, name))], isError: false };
}

function noteOf({ label, isLast }: { label: string; isLast: boolean }, cursor: string, name: string): string {
  const rest = isLast ? 'this is the last part' : `read the rest with ${name}, cursor "${nextCursor(cursor)}"`;
  return `Showing ${label}; ${rest}.`;
}

/** Serves `resources/read` of a page: its blocks, and the address of the next page. */
async function readResource(operation: Operation, uri: string, settings: Settings): Promise<ReadResourceResult> {
  const cursor = uri.slice(settings.uriOf('').length);
  const page = await readPage(operation, cursor, settings);
  operation.keepPrivate();
  if (page === undefined) {
    throw new ProtocolError(ErrorCode.ResourceNotFound, unknownCursor, { uri: uri.slice(0, 200) });
  }
  if ('blob' in page) return { contents: [{ uri, mimeType: page.mimeType, blob: page.blob }] };
  const contents: ResourceContents[] = page.content.map((block) => ({
    uri,
    text: block.type === 'text' ? block.text : JSON.stringify(block),
  }));
  if (!page.isLast) {
    const next = settings.uriOf(nextCursor(cursor));
    contents.push({ uri: next, text: `Showing ${page.label}; the rest is at ${next}.` });
  }
  return { contents };
}

function linkTo(uri: string, title: string): ResourceLink {
  return resourceLink({ uri, name: 'rest', title });
}

function atLeast(name: string, least: number, value: number): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new TypeError(`"${name}" of resultBudget must be a number of at least ${least}`);
}
