import { hasDuplicateMember, isMinimalJson } from './duplicate-members.ts';

/** A request to call a tool. */
export interface ToolCallRequest {
  jsonrpc: '2.0';
  id: number;
  method: 'tools/call';
  params: { name: string; arguments: unknown; _meta?: unknown };
}

/** What is longer is left to `JSON.parse` as a whole: there is little to save. */
const MAX_LENGTH = 2048;
/** How many senders' `_meta` are known by heart. */
const MAX_KNOWN_METAS = 4;
/** So many texts are not looked at after one that was something else than it seemed: finding out costs ten times as much. */
const SKIP_AFTER_MISS = 256;
/** Arguments and `_meta` lie so deep in a message. */
const PART_LEVEL = 2;

const idFirst =
  /\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}),"method":"tools\/call","params":\{"name":"([\w./-]+)","arguments":(?=\{)/y;
const methodFirst = /\{"method":"tools\/call","params":\{"name":"([\w./-]+)","arguments":(?=\{)/y;
const lastMembers = ',"jsonrpc":"2.0","id":';
const metaMember = ',"_meta":';
const closingBrace = 0x7d;
const zero = 0x30;
const nine = 0x39;
const letterJ = 0x6a;
const letterM = 0x6d;

/** A `_meta` that came before: the end of the params that it stands in, and what it was parsed to. */
interface KnownMeta {
  readonly tail: string;
  readonly meta: object;
}

const knownMetas: KnownMeta[] = [];
let lastTail = '';
let skipCount = 0;

/**
 * Reads a call of a tool that is written as most clients write it; undefined for anything else. Only the arguments are
 * parsed then, and a `_meta` that is new: what stands around them is compared with what it must be, `_meta` with those
 * that came before. All parts being whole JSON values, so is the text, and it means what `JSON.parse` would say.
 */
export function fastParseToolCall(text: string): ToolCallRequest | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (skipCount > 0) {
    skipCount -= 1;
    return undefined;
  }
  const letter = text.charCodeAt(2);
  if (letter === letterJ) return readIdFirst(text);
  return letter === letterM ? readMethodFirst(text) : undefined;
}

function readIdFirst(text: string): ToolCallRequest | undefined {
  const end = text.length - 1;
  // The last member of the params is an object too, unlike in most other requests.
  if (text.charCodeAt(end - 2) !== closingBrace || text.charCodeAt(end) !== closingBrace) return undefined;
  idFirst.lastIndex = 0;
  const found = idFirst.exec(text);
  if (found === null) return undefined;
  return buildCall(text, { id: Number(found[1]), name: found[2] as string, from: idFirst.lastIndex, end });
}

function readMethodFirst(text: string): ToolCallRequest | undefined {
  methodFirst.lastIndex = 0;
  const found = methodFirst.exec(text);
  const last = text.length - 1;
  if (found === null || text.charCodeAt(last) !== closingBrace) return undefined;
  const first = startOfDigits(text, last);
  const end = first - lastMembers.length;
  if (last - first > 15 || text.slice(end, first) !== lastMembers) return undefined;
  // None at all, or what JSON takes for no number.
  if (first === last || (text.charCodeAt(first) === zero && last - first > 1)) return undefined;
  const id = Number(text.slice(first, last));
  return buildCall(text, { id, name: found[1] as string, from: methodFirst.lastIndex, end });
}

function startOfDigits(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at - 1) >= zero && text.charCodeAt(at - 1) <= nine) at -= 1;
  return at;
}

/** Where in a text the arguments begin, and where the params end. */
interface Outline {
  id: number;
  name: string;
  from: number;
  end: number;
}

function buildCall(text: string, { id, name, from, end }: Outline): ToolCallRequest | undefined {
  if (text.charCodeAt(end - 1) !== closingBrace) return undefined;
  try {
    const before = findKnownMeta(text, end);
    const metaAt = before === undefined ? text.indexOf(metaMember, from) : end - before.tail.length;
    const given = parsePart(text, from, metaAt === -1 ? end - 1 : metaAt);
    if (given === undefined) return undefined;
    if (metaAt === -1) return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } };
    const _meta = before === undefined ? parseMeta(text, metaAt, end) : deepCopy(before.meta);
    if (_meta === undefined) return undefined;
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given, _meta } };
  } catch {
    skipCount = SKIP_AFTER_MISS;
    return undefined;
  }
}

/** Parses a part of a message; undefined where a member stands twice in it. Throws where it is no JSON. */
function parsePart(text: string, from: number, end: number): unknown {
  const written = text.slice(from, end);
  const value: unknown = JSON.parse(written);
  return hasDuplicateMember(written, value, PART_LEVEL) ? undefined : value;
}

function findKnownMeta(text: string, end: number): KnownMeta | undefined {
  for (const one of knownMetas) {
    const start = end - one.tail.length;
    if (start > 0 && text.slice(start, end) === one.tail) return one;
  }
  return undefined;
}

/** Parses a `_meta` that is not known. One that comes a second time is known from then on. */
function parseMeta(text: string, at: number, end: number): unknown {
  const meta = parsePart(text, at + metaMember.length, end - 1);
  const tail = text.slice(at, end);
  if (tail !== lastTail) lastTail = tail;
  else if (isObjectLike(meta) && isMinimalJson(tail.slice(metaMember.length, -1), meta, PART_LEVEL))
    cacheMeta(tail, meta);
  return meta;
}

function cacheMeta(slice: string, meta: object): void {
  // As the name of a member it could not be copied.
  if (slice.includes('__proto__')) return;
  // Not the slice, which would keep the whole text that it is a part of.
  const tail = JSON.parse(JSON.stringify(slice)) as string;
  knownMetas.unshift({ tail, meta: deepCopy(meta) as object });
  knownMetas.length = Math.min(knownMetas.length, MAX_KNOWN_METAS);
}

function isObjectLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Each call gets its own: whoever serves it may change it. */
function deepCopy(value: unknown): unknown {
  if (!isObjectLike(value)) return value;
  if (Array.isArray(value)) return value.map(deepCopy);
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) if (typeof copy[name] === 'object') copy[name] = deepCopy(copy[name]);
  return copy;
}
