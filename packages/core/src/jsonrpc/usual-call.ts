import { hasRepeatedMember, isWrittenShortest } from './repeated-members.ts';

/** A request to call a tool. */
export interface UsualCall {
  jsonrpc: '2.0';
  id: number;
  method: 'tools/call';
  params: { name: string; arguments: object; _meta?: object };
}

/** What is longer is left to `JSON.parse` as a whole. */
const LONGEST = 4096;
/** How many senders' `_meta` are known by heart. */
const KEPT = 4;
/** So many texts are not looked at after one that was something else than it seemed: finding out costs ten times as much. */
const WARINESS = 256;
/** Arguments and `_meta` lie so deep in a message. */
const LEVELS = 2;

const idFirst =
  /\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}),"method":"tools\/call","params":\{"name":"([\w./-]+)","arguments":(?=\{)/y;
const methodFirst = /\{"method":"tools\/call","params":\{"name":"([\w./-]+)","arguments":(?=\{)/y;
const idLast = /,"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14})\}$/y;
const lastMembers = ',"jsonrpc":"2.0","id":';
const metaMember = ',"_meta":';
const closingBrace = 0x7d;

/** A `_meta` that came before: the end of the params that it stands in, and what it was parsed to. */
interface Known {
  readonly tail: string;
  readonly meta: object;
}

const known: Known[] = [];
let seenLast = '';
let wary = 0;

/**
 * Reads a call of a tool that is written as most clients write it; undefined for anything else. Only the arguments are
 * parsed then: what stands around them is compared with what it must be, and a `_meta` with those that came before. All
 * parts being whole JSON values, so is the text, and it means what `JSON.parse` would say.
 */
export function readUsualCall(text: string): UsualCall | undefined {
  if (text.length > LONGEST) return undefined;
  if (wary > 0) {
    wary -= 1;
    return undefined;
  }
  idFirst.lastIndex = 0;
  const found = idFirst.exec(text);
  if (found !== null) {
    const end = text.length - 1;
    if (text.charCodeAt(end) !== closingBrace) return undefined;
    return callOf(text, { id: found[1] as string, name: found[2] as string, from: idFirst.lastIndex, end });
  }
  methodFirst.lastIndex = 0;
  const named = methodFirst.exec(text);
  if (named === null) return undefined;
  const end = text.lastIndexOf(lastMembers);
  idLast.lastIndex = Math.max(end, 0);
  const id = idLast.exec(text);
  if (id === null) return undefined;
  return callOf(text, { id: id[1] as string, name: named[1] as string, from: methodFirst.lastIndex, end });
}

/** Where in a text the arguments begin, and where the params end. */
interface Outline {
  id: string;
  name: string;
  from: number;
  end: number;
}

function callOf(text: string, { id, name, from, end }: Outline): UsualCall | undefined {
  const before = knownBefore(text, end);
  if (before === undefined && hasMeta(text, from, end)) return undefined;
  const written = text.slice(from, before === undefined ? end - 1 : end - before.tail.length);
  try {
    if (text.charCodeAt(end - 1) !== closingBrace) return undefined;
    const given = JSON.parse(written) as object;
    if (hasRepeatedMember(written, given, LEVELS)) return undefined;
    const params =
      before === undefined
        ? { name, arguments: given }
        : { name, arguments: given, _meta: copyOf(before.meta) as object };
    return { jsonrpc: '2.0', id: Number(id), method: 'tools/call', params };
  } catch {
    wary = WARINESS;
    return undefined;
  }
}

function knownBefore(text: string, end: number): Known | undefined {
  for (const one of known) {
    const start = end - one.tail.length;
    if (start > 0 && text.slice(start, end) === one.tail) return one;
  }
  return undefined;
}

/** True for params with an unknown `_meta`. One that comes a second time is known from then on. */
function hasMeta(text: string, from: number, end: number): boolean {
  if (!text.includes(metaMember, from)) return false;
  const tail = text.slice(text.lastIndexOf(metaMember), end);
  if (tail === seenLast) remember(tail);
  else seenLast = tail;
  return true;
}

function remember(tail: string): void {
  const written = tail.slice(metaMember.length, -1);
  // As the name of a member it could not be copied.
  if (written.includes('__proto__') || !written.startsWith('{')) return;
  try {
    const meta = JSON.parse(written) as object;
    if (!isWrittenShortest(written, meta, LEVELS) || !tail.endsWith('}')) return;
    // Not the slice, which would keep the whole text that it is a part of.
    known.unshift({ tail: JSON.parse(JSON.stringify(tail)) as string, meta });
    known.length = Math.min(known.length, KEPT);
  } catch {
    wary = WARINESS;
  }
}

/** Each call gets its own: whoever serves it may change it. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) if (typeof copy[name] === 'object') copy[name] = copyOf(copy[name]);
  return copy;
}
