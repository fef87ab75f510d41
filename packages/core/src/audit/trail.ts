import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { limits } from '../limits.ts';
import { stderrLogger } from '../server/log.ts';
import type { Observer, RequestEnd } from '../server/observer.ts';
import type { Middleware } from '../server/operation.ts';
import { describeRequest, describeOutcome } from './entry.ts';
import { type AuditOptions, checkOptions } from './options.ts';
import { AuditWriter } from './writer.ts';

/** An audit log that is being written: an observer, and the way to end it. */
export interface AuditTrail extends Required<Pick<Observer, 'begin'>> {
  /** Refuses requests while the log can't be written, where `onFailure` says so. */
  readonly guard: Middleware;
  /** Writes what waits. */
  flush(): void;
  /** Writes what waits, and that the log ends here. */
  close(): void;
}

/** So many lines wait at most, where those of one turn are written together. */
const maxWaiting = 1000;

/** Writes a line for each request, with a hash by which changes are seen later: `server.observe(audit({ file }))`. */
export function audit(options: AuditOptions): AuditTrail {
  checkOptions(options);
  const { flush: when = 'call', onFailure = 'go on', methods } = options;
  const writer = new AuditWriter(options, options.onError ?? logToStderr);
  // Whoever refuses requests after a failure must know of it before the next one.
  const immediate = when === 'call' && onFailure === 'refuse';
  let waiting: string[] = [];
  let isClosed = false;

  function flush(): void {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    writer.append(entries);
  }

  function add(entry: string, end: RequestEnd): void {
    waiting.push(entry);
    if (immediate || waiting.length >= maxWaiting) flush();
    else if (when === 'call') end.beforeAnswer(flush);
    else if (waiting.length === 1) setImmediate(flush);
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    process.off('exit', close);
    flush();
    writer.close();
  }

  process.once('exit', close);
  return {
    begin(request) {
      if (isClosed || (methods !== undefined && !methods.includes(request.method))) return undefined;
      const described = describeRequest(request, options);
      return {
        end(end) {
          if (!isClosed) add(`${described}${describeOutcome(end, options)}`, end);
        },
      };
    },
    guard(_operation, next) {
      if (onFailure === 'refuse' && writer.isFailing && !writer.append([])) throw refusal();
      return next();
    },
    flush,
    close,
  };
}

function refusal(): ProtocolError {
  const retryAfterMs = limits.server.retryMs.value;
  return new ProtocolError(
    ErrorCode.InternalError,
    'The server can not write its audit log, so it serves nothing: try again later',
    { retryAfterMs },
  );
}

function logToStderr(message: string): void {
  stderrLogger('warning').write({ level: 'error', logger: 'audit', data: message });
}
