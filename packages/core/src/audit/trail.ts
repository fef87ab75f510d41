import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { limits } from '../limits.ts';
import { stderrLogger } from '../server/observe/log.ts';
import type { Observer, RequestEnd } from '../server/observe/observer.ts';
import type { Middleware } from '../server/call/operation.ts';
import { describeRequest, describeOutcome } from './entry.ts';
import { type AuditOptions, checkOptions } from './options.ts';
import { AuditWriter } from './writer.ts';

/** An open audit log: an observer with lifecycle methods. */
export interface AuditTrail extends Required<Pick<Observer, 'begin'>> {
  /** Rejects requests while the log can't be written, if `onFailure` is `refuse`. */
  readonly guard: Middleware;
  /** Writes buffered lines. */
  flush(): void;
  /** Writes buffered lines and a final record. */
  close(): void;
}

/** The maximum number of buffered lines. */
const maxWaiting = 1000;

/** Writes a tamper-evident line for each request: `server.observe(audit({ file }))`. */
export function audit(options: AuditOptions): AuditTrail {
  checkOptions(options);
  const { flush: when = 'call', onFailure = 'go on', methods } = options;
  const writer = new AuditWriter(options, options.onError ?? logToStderr);
  // To reject requests after a failure, the failure must be known before the next request.
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
