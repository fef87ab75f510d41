import { limits } from '../../limits.ts';
import type { Redact } from './redact.ts';

/** Options of `audit`. */
export interface AuditOptions {
  /** The file to append to. Created if it does not exist; several processes may share it. */
  file?: string;
  /** Writes lines, each with its newline, instead of a file. Must throw on failure. */
  write?: (line: string) => void;
  /**
   * The secret of an HMAC, at least 16 characters: without it, lines can't be forged that `ccmcp audit verify`
   * accepts.
   */
  key?: string;
  /** False omits arguments. Default: true, with secrets masked. */
  arguments?: boolean;
  /** True includes results, with secrets masked. Default: only the outcome. */
  results?: boolean;
  /** Replaces values before the default masking. */
  redact?: Redact;
  /** The methods whose requests are logged. Default: all. */
  methods?: readonly string[];
  /**
   * `call`: a line is written before its call is answered. `turn`: at the end of the event loop turn, perhaps after the
   * answer.
   */
  flush?: 'call' | 'turn';
  /** True: each write waits for the disk, which takes milliseconds. Default: false. */
  fsync?: boolean;
  /** The size at which the file is rotated. Default: 64 MiB. */
  maxSize?: number;
  /** The age at which the file is rotated, in milliseconds. Default: unlimited. */
  maxAgeMs?: number;
  /** How many rotated files to keep. Default: all. */
  keep?: number;
  /**
   * Whether requests are served while the log can't be written. `reject` needs `server.use(trail.guard)`. Default:
   * `continue`.
   */
  onFailure?: 'continue' | 'reject';
  /** Called at most once a minute while the log can't be written, and when it can be again. Default: logs to stderr. */
  onError?: (message: string) => void;
}

const shortestKey = 16;

/** Throws if options are invalid. */
export function checkOptions(options: AuditOptions): void {
  const { file, write, key, flush = 'call', onFailure = 'continue', keep = 0, maxAgeMs = 1 } = options;
  const { maxSize = limits.audit.maxSize.value } = options;
  if ((file === undefined) === (write === undefined)) throw new TypeError('audit needs either "file" or "write"');
  if (file === '') throw new TypeError('audit: "file" is empty');
  if (key !== undefined && key.length < shortestKey) {
    throw new TypeError(`audit: "key" must have at least ${shortestKey} characters`);
  }
  if (flush !== 'call' && flush !== 'turn')
    throw new TypeError(`audit: "flush" must be call or turn: ${String(flush)}`);
  if (onFailure !== 'continue' && onFailure !== 'reject') {
    throw new TypeError(`audit: "onFailure" must be "continue" or "reject": ${String(onFailure)}`);
  }
  if (!(maxSize >= 4096)) throw new TypeError('audit: "maxSize" must be at least 4096 bytes');
  if (!(maxAgeMs > 0)) throw new TypeError('audit: "maxAgeMs" must be more than 0');
  if (!(keep >= 0)) throw new TypeError('audit: "keep" must be 0 or more');
}
