import { limits } from '../limits.ts';
import type { Redact } from './redact.ts';

/** Where an audit log goes, what it says, and what happens if it can't be written. */
export interface AuditOptions {
  /** The file that lines are added to. It is made where there is none; several processes may write to one. */
  file?: string;
  /** Takes lines, each with its line end, in place of a file. Throws where it can't be written. */
  write?: (line: string) => void;
  /** The secret of an HMAC, at least 16 characters: then only who knows it can make lines that `ccmcp audit verify` takes. */
  key?: string;
  /** False: arguments are left out. Default: they are there, without what looks like a secret. */
  arguments?: boolean;
  /** True: results are there too, in the same way. Default: only how a call ended. */
  results?: boolean;
  /** What stands in place of values, before the usual rule. */
  redact?: Redact;
  /** The methods whose requests are logged. Default: all. */
  methods?: readonly string[];
  /** `call`: a line is with the operating system before its call is answered. `turn`: at the end of the turn, perhaps after that. */
  flush?: 'call' | 'turn';
  /** True: each write waits until the disk has it, which takes milliseconds. Default: false. */
  fsync?: boolean;
  /** Bytes after which the next file is begun. Default: 64 MiB. */
  maxSize?: number;
  /** How old a file may get before the next is begun, in milliseconds. Default: as old as it likes. */
  maxAgeMs?: number;
  /** How many files are kept, beside the one that is written to. Default: all. */
  keep?: number;
  /** What happens to requests while the log can't be written. `refuse` needs `server.use(trail.guard)`. Default: `go on`. */
  onFailure?: 'go on' | 'refuse';
  /** Told at most once a minute that the log can't be written, and when it can be again. Default: a line on stderr. */
  onError?: (message: string) => void;
}

const shortestKey = 16;

/** Says what is wrong with options, if something is. */
export function checkOptions(options: AuditOptions): void {
  const { file, write, key, flush = 'call', onFailure = 'go on', keep = 0, maxAgeMs = 1 } = options;
  const { maxSize = limits.audit.maxSize.value } = options;
  if ((file === undefined) === (write === undefined)) throw new TypeError('audit needs either "file" or "write"');
  if (file === '') throw new TypeError('audit: "file" is empty');
  if (key !== undefined && key.length < shortestKey) {
    throw new TypeError(`audit: "key" must have at least ${shortestKey} characters`);
  }
  if (flush !== 'call' && flush !== 'turn')
    throw new TypeError(`audit: "flush" must be call or turn: ${String(flush)}`);
  if (onFailure !== 'go on' && onFailure !== 'refuse') {
    throw new TypeError(`audit: "onFailure" must be "go on" or "refuse": ${String(onFailure)}`);
  }
  if (!(maxSize >= 4096)) throw new TypeError('audit: "maxSize" must be at least 4096 bytes');
  if (!(maxAgeMs > 0)) throw new TypeError('audit: "maxAgeMs" must be more than 0');
  if (!(keep >= 0)) throw new TypeError('audit: "keep" must be 0 or more');
}
