import * as nodeCrypto from 'node:crypto';
import { isObject } from '../../jsonrpc/message.ts';
import { escapeUnseen } from '../../jsonrpc/text.ts';

/** A parsed line of an audit log. */
export interface AuditRecord {
  /** The id of its chain: each process has its own. */
  readonly chain: string;
  /** Its number in the chain, starting with 1. */
  readonly seq: number;
  readonly time: string;
  /** The kind of record: a call, or an event of the log itself. */
  readonly kind: 'begin' | 'call' | 'rotate' | 'gap' | 'end';
  /** The hash of the previous line of the chain; empty for the first. */
  readonly prev: string;
  /** The hash of everything before this member. */
  readonly hash: string;
  readonly [member: string]: unknown;
}

/** Hashes a line. */
export type Hash = (text: string) => string;

/** One-shot hashing, in Node 20.12 and later. */
const { hash: oneShotHash } = nodeCrypto as {
  hash?: (algorithm: string, data: string, encoding: 'base64url') => string;
};

const hashMember = ',"hash":"';
const hashLength = 43;
/** The start of every line. */
const recordStart = '{"chain":"';

/** SHA-256, or HMAC-SHA-256 with a key. */
export function hashWith(key: string | undefined): Hash {
  if (key !== undefined) return (text) => nodeCrypto.createHmac('sha256', key).update(text).digest('base64url');
  if (oneShotHash !== undefined) return (text) => oneShotHash('sha256', text, 'base64url');
  return (text) => nodeCrypto.createHash('sha256').update(text).digest('base64url');
}

/** The members that the chain adds to a record. */
export type Position = Pick<AuditRecord, 'chain' | 'seq' | 'time' | 'kind' | 'prev'>;

/** Serializes the members of a record, with control characters escaped. */
export function encodeMembers(fields: object): string {
  return escapeUnseen(JSON.stringify(fields)).slice(1, -1);
}

/** Serializes a record with its hash. `members` is JSON without the outer braces. */
export function sealRecord({ chain, seq, time, kind, prev }: Position, members: string, hash: Hash): SealedLine {
  const own = members === '' ? '' : `,${members}`;
  // Concatenated, because nothing else needs escaping.
  const text = `${recordStart}${chain}","seq":${seq},"time":"${time}","kind":"${kind}"${own},"prev":"${prev}"`;
  const made = hash(text);
  return { line: `${text}${hashMember}${made}"}\n`, hash: made };
}

/** A line and its hash. */
export interface SealedLine {
  readonly line: string;
  readonly hash: string;
}

/** A parsed record, and whether its hash is correct. */
export interface ParsedRecord {
  readonly record: AuditRecord;
  readonly intact: boolean;
}

/** Parses a line; undefined if it is not a record. */
function parseRecord(line: string, hash: Hash): ParsedRecord | undefined {
  const at = line.length - hashMember.length - hashLength - 2;
  if (!line.startsWith(recordStart) || line.slice(at, at + hashMember.length) !== hashMember) return undefined;
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) ? { record, intact: hash(line.slice(0, at)) === record.hash } : undefined;
  } catch {
    return undefined;
  }
}

/** The maximum number of record starts to try in a line: arguments may have a member "chain" too. */
const mostBeginnings = 64;

/** Finds the record at the end of a line, and its offset: a torn record of another process may precede it. */
export function findRecord(line: string, hash: Hash): (ParsedRecord & { at: number }) | undefined {
  let at = line.indexOf(recordStart);
  for (let tried = 0; at !== -1 && tried < mostBeginnings; tried += 1) {
    const found = parseRecord(line.slice(at), hash);
    if (found !== undefined) return { ...found, at };
    at = line.indexOf(recordStart, at + 1);
  }
  return undefined;
}

/** Whether a text can be a torn record: its start, or the NUL bytes that a power cut leaves. */
export function isTornRecord(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are looked for
  return text.startsWith(recordStart) || recordStart.startsWith(text) || /^\u0000+$/.test(text);
}

function isRecord(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false;
  const { chain, seq, time, kind, prev, hash } = value;
  const texts = [chain, time, kind, prev, hash].every((member) => typeof member === 'string');
  return texts && Number.isSafeInteger(seq);
}
