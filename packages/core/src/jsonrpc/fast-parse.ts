import { hasDuplicateMember, isMinimalJson } from './duplicate-members.ts';

/** A `tools/call` request. */
export interface ToolCallRequest {
  jsonrpc: '2.0';
  id: number;
  method: 'tools/call';
  params: { name: string; arguments: unknown; _meta?: unknown };
}

/** Longer texts go to `JSON.parse`: there is little to gain. */
const MAX_LENGTH = 2048;
/** How many `_meta` objects are cached. */
const MAX_KNOWN_METAS = 4;
/** After a failed attempt, skip the fast path for this many texts: a miss costs ten times as much as a hit saves. */
const SKIP_AFTER_MISS = 256;
/** The nesting level of the arguments and `_meta` in a message. */
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

/** A cached `_meta`: the end of the params text that contains it, and its parsed value. */
interface KnownMeta {
  readonly tail: string;
  readonly meta: object;
}

const knownMetas: KnownMeta[] = [];
let lastTail = '';
let skipCount = 0;

/**
 * Fast path for a `tools/call` request in the usual member order; undefined for anything else. Compares the text around
 * the arguments with the expected one, and parses only the arguments and a `_meta` that is not cached. The parts are
 * complete JSON values, so the result equals that of `JSON.parse`.
 */
export function fastParseToolCall(text: string): ToolCallRequest | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (skipCount > 0) {
    skipCount -= 1;
    return undefined;
  }
  const letter = text.charCodeAt(2);
  if (letter !== letterJ && letter !== letterM) return undefined;
  const outline = letter === letterJ ? readIdFirst(text) : readMethodFirst(text);
  if (outline === undefined || text.charCodeAt(outline.end - 1) !== closingBrace) return undefined;
  const { id, name, from, end } = outline;
  try {
    let known: KnownMeta | undefined;
    for (const one of knownMetas) {
      const start = end - one.tail.length;
      if (start > 0 && text.slice(start, end) === one.tail) {
        known = one;
        break;
      }
    }
    const metaAt = known === undefined ? text.indexOf(metaMember, from) : end - known.tail.length;
    const given = parsePart(text, from, metaAt === -1 ? end - 1 : metaAt);
    if (given === undefined) return undefined;
    if (metaAt === -1) return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } };
    const _meta = known === undefined ? parseMeta(text, metaAt, end) : deepCopy(known.meta);
    if (_meta === undefined) return undefined;
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given, _meta } };
  } catch {
    skipCount = SKIP_AFTER_MISS;
    return undefined;
  }
}

/** The frame of the arguments: the offsets of the arguments and of the end of the params. */
interface Outline {
  id: number;
  name: string;
  from: number;
  end: number;
}

function readIdFirst(text: string): Outline | undefined {
  const end = text.length - 1;
  // Cheap check first: in other requests the last member of the params is rarely an object.
  if (text.charCodeAt(end - 2) !== closingBrace || text.charCodeAt(end) !== closingBrace) return undefined;
  idFirst.lastIndex = 0;
  const found = idFirst.exec(text);
  if (found === null) return undefined;
  return { id: Number(found[1]), name: found[2] as string, from: idFirst.lastIndex, end };
}

function readMethodFirst(text: string): Outline | undefined {
  methodFirst.lastIndex = 0;
  const found = methodFirst.exec(text);
  const last = text.length - 1;
  if (found === null || text.charCodeAt(last) !== closingBrace) return undefined;
  const first = startOfDigits(text, last);
  const end = first - lastMembers.length;
  if (last - first > 15 || text.slice(end, first) !== lastMembers) return undefined;
  // No digits, or a leading zero, which JSON forbids.
  if (first === last || (text.charCodeAt(first) === zero && last - first > 1)) return undefined;
  const id = Number(text.slice(first, last));
  return { id, name: found[1] as string, from: methodFirst.lastIndex, end };
}

function startOfDigits(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at - 1) >= zero && text.charCodeAt(at - 1) <= nine) at -= 1;
  return at;
}

/** Parses a part of a message; undefined if it has a duplicate member. Throws on invalid JSON. */
function parsePart(text: string, from: number, end: number): unknown {
  const written = text.slice(from, end);
  const value: unknown = JSON.parse(written);
  return hasDuplicateMember(written, value, PART_LEVEL) ? undefined : value;
}

/** Parses a `_meta` that is not cached, and caches it when it comes for the second time. */
function parseMeta(text: string, at: number, end: number): unknown {
  const meta = parsePart(text, at + metaMember.length, end - 1);
  const tail = text.slice(at, end);
  if (tail !== lastTail) lastTail = tail;
  else if (isObjectLike(meta) && isMinimalJson(tail.slice(metaMember.length, -1), meta, PART_LEVEL))
    cacheMeta(tail, meta);
  return meta;
}

function cacheMeta(slice: string, meta: object): void {
  // Can't be copied, and would allow prototype pollution.
  if (slice.includes('__proto__')) return;
  // A copy, because a slice would keep the whole message alive.
  const tail = JSON.parse(JSON.stringify(slice)) as string;
  knownMetas.unshift({ tail, meta: deepCopy(meta) as object });
  knownMetas.length = Math.min(knownMetas.length, MAX_KNOWN_METAS);
}

function isObjectLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Each call gets its own copy, because handlers may change it. */
function deepCopy(value: unknown): unknown {
  if (!isObjectLike(value)) return value;
  if (Array.isArray(value)) return value.map(deepCopy);
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) if (typeof copy[name] === 'object') copy[name] = deepCopy(copy[name]);
  return copy;
}
