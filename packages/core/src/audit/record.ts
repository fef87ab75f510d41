import * as nodeCrypto from 'node:crypto';
import { isObject } from '../jsonrpc/message.ts';
import { escapeUnseen } from '../jsonrpc/unseen.ts';

/** One line of an audit log, as it can be read back. */
export interface AuditRecord {
  /** Which chain it belongs to: each process that writes has one of its own. */
  readonly chain: string;
  /** Its number in the chain, from 1 on. */
  readonly seq: number;
  readonly time: string;
  /** What happened: a call, or something about the log itself. */
  readonly kind: 'begin' | 'call' | 'rotate' | 'gap' | 'end';
  /** The hash of the line before it in the chain; empty for the first. */
  readonly prev: string;
  /** The hash of this line: of all that stands before this member. */
  readonly hash: string;
  readonly [member: string]: unknown;
}

/** Makes the hash of a line. */
export type Hash = (text: string) => string;

/** In Node 20.12 and later, in one step. */
const { hash: oneShotHash } = nodeCrypto as {
  hash?: (algorithm: string, data: string, encoding: 'base64url') => string;
};

const hashMember = ',"hash":"';
const hashLength = 43;
/** How every line begins. */
const recordStart = '{"chain":"';

/** SHA-256, or HMAC-SHA-256 where there is a key that those who can write the file don't have. */
export function hashWith(key: string | undefined): Hash {
  if (key !== undefined) return (text) => nodeCrypto.createHmac('sha256', key).update(text).digest('base64url');
  if (oneShotHash !== undefined) return (text) => oneShotHash('sha256', text, 'base64url');
  return (text) => nodeCrypto.createHash('sha256').update(text).digest('base64url');
}

/** What the chain adds to a record. */
export type Position = Pick<AuditRecord, 'chain' | 'seq' | 'time' | 'kind' | 'prev'>;

/** The members of a record as they stand in its line: what would steer a terminal is escaped. */
export function encodeMembers(fields: object): string {
  return escapeUnseen(JSON.stringify(fields)).slice(1, -1);
}

/** Writes a record as a line, with its hash. `members` are its own, as JSON without the braces around. */
export function sealRecord({ chain, seq, time, kind, prev }: Position, members: string, hash: Hash): SealedLine {
  const own = members === '' ? '' : `,${members}`;
  // Put together by hand, because nothing of the rest has to be escaped.
  const text = `${recordStart}${chain}","seq":${seq},"time":"${time}","kind":"${kind}"${own},"prev":"${prev}"`;
  const made = hash(text);
  return { line: `${text}${hashMember}${made}"}\n`, hash: made };
}

/** A line, and its hash. */
export interface SealedLine {
  readonly line: string;
  readonly hash: string;
}

/** A record that was read, and whether its hash is right. */
export interface ParsedRecord {
  readonly record: AuditRecord;
  readonly intact: boolean;
}

/** Reads a line; undefined for what is no record. */
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

/** A line is searched for so many beginnings of a record: arguments may have a member "chain" too. */
const mostBeginnings = 64;

/** The record that a line ends with, and where in the line it begins: a torn one of another process may stand before it. */
export function findRecord(line: string, hash: Hash): (ParsedRecord & { at: number }) | undefined {
  let at = line.indexOf(recordStart);
  for (let tried = 0; at !== -1 && tried < mostBeginnings; tried += 1) {
    const found = parseRecord(line.slice(at), hash);
    if (found !== undefined) return { ...found, at };
    at = line.indexOf(recordStart, at + 1);
  }
  return undefined;
}

/** Whether a text can be what is left of a record: its beginning, or the NUL bytes that a power cut leaves in a file. */
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
