import type { RequestId } from '../../jsonrpc/message.ts';
import { truncate } from '../../jsonrpc/text.ts';
import { shortDigest } from '../../runtime/short-digest.ts';
import type { Auth, Origin } from '../../server/peer.ts';
import { type Logger, stderrLogger, isEnabled } from '../../server/log/log.ts';
import type { ObservedRequest, Observer, RequestEnd } from '../../server/observer.ts';

/** Where requests are logged. */
export interface RequestLogOptions {
  /** Gets an entry of the level `info` for each request. Default: JSON lines on stderr. */
  logger?: Logger;
}

/** The log entry of a completed request. Without arguments, results and error messages, which may contain anything. */
export interface LoggedRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The name of the tool, as the client sent it. */
  readonly tool?: string;
  /** The principal, if known. */
  readonly caller?: string;
  /** A digest of the session id, the same as in audit logs: the id itself is a credential. */
  readonly session?: string;
  readonly transport?: string;
  readonly address?: string;
  readonly revision?: string;
  readonly outcome: RequestEnd['outcome'];
  readonly durationMs: number;
  /** The code of the error response. */
  readonly error?: number;
}

/** Maximum characters of a name, id or caller in the request log; longer ones are truncated. */
const longest = 128;

/** Logs each request when it completes: `server.observe(requestLog())`. */
export function requestLog({ logger = stderrLogger('info') }: RequestLogOptions = {}): Observer {
  return {
    begin(request) {
      if (!isEnabled(logger, 'info')) return undefined;
      // Copied: the request itself may be large and long-lived.
      const asked = requestFields(request);
      return {
        end: (end) => logger.write({ level: 'info', logger: 'requests', data: { ...asked, ...endFields(end) } }),
      };
    },
  };
}

type RequestFields = Pick<LoggedRequest, 'id' | 'method' | 'tool' | 'caller' | 'session' | 'transport' | 'address'>;

function requestFields({ id, method, params, auth, origin }: ObservedRequest): RequestFields {
  const tool = method === 'tools/call' ? params.name : undefined;
  return {
    id: typeof id === 'string' ? truncate(id, longest) : id,
    method: truncate(method, longest),
    ...(typeof tool === 'string' && { tool: truncate(tool, longest) }),
    ...callerOf(auth),
    ...originFields(origin),
  };
}

function endFields({ outcome, durationMs, revision, error }: RequestEnd): Omit<LoggedRequest, keyof RequestFields> {
  return {
    ...(revision !== undefined && { revision }),
    outcome,
    durationMs: Math.round(durationMs * 1000) / 1000,
    ...(error !== undefined && { error: error.code }),
  };
}

function callerOf(auth: Auth | undefined): { caller?: string } {
  return auth === undefined ? {} : { caller: truncate(auth.principal, longest) };
}

function originFields(origin: Origin | undefined): Pick<LoggedRequest, 'session' | 'transport' | 'address'> {
  if (origin === undefined) return {};
  const { transport, session: id, address } = origin;
  const session = id === undefined ? undefined : shortDigest(id);
  return {
    ...(session !== undefined && { session }),
    transport,
    ...(address !== undefined && { address }),
  };
}
