import type { ErrorBody } from '../../jsonrpc/errors.ts';
import type { Message, Notification, Response } from '../../jsonrpc/message.ts';
import { type LogLevel, isAtLeast } from '../../protocol/logging.ts';
import { claimsStateless } from '../../revisions/read-caller.ts';
import type { Call } from '../call/call.ts';
import type { EngineState } from '../engine-state.ts';
import type { Peer } from '../peer.ts';
import { boundedData } from '../call/result-size.ts';

/** The known facts of a rejected message. */
interface Rejected {
  /** Absent: it could not be parsed. */
  readonly message?: Message;
  readonly call?: Call | undefined;
}

/**
 * Logs that a message was rejected before middleware, with `logRejections`. The client gets the log message after the
 * response, whose HTTP status would be lost in a stream.
 */
export function logRejection(
  server: EngineState,
  answer: Response | undefined,
  peer?: Pick<Peer, 'caller' | 'session' | 'backpressured' | 'notify'>,
  rejected: Rejected = {},
): void {
  if (peer !== undefined && rejected.message === undefined) warnUninitialized(server, 'An invalid message', peer);
  if (server.options.logRejections !== true || answer === undefined || !('error' in answer)) return;
  const { message }: ErrorBody = answer.error;
  server.note('error', message);
  const level = peer && levelOf(server, peer, rejected);
  if (
    level === undefined ||
    !server.capabilities.offers('logging') ||
    peer?.backpressured ||
    !isAtLeast('error', level)
  )
    return;
  const params = { level: 'error', logger: server.info.name, data: boundedData(message) };
  const notification: Notification = { jsonrpc: '2.0', method: 'notifications/message', params };
  // Before a handshake, responses must come first.
  const isStranger = rejected.call === undefined && peer?.session?.revision === undefined;
  if (!isStranger) peer?.notify?.(notification);
  else if (peer?.session !== undefined) {
    peer.session.rejections ??= [];
    peer.session.rejections.push(notification);
  }
}

/** Logs once per client that something came before `notifications/initialized`, with the option of that name. */
export function warnUninitialized(server: EngineState, what: string, { session }: Pick<Peer, 'session'>): void {
  if (server.options.warnUninitialized !== true) return;
  if (session?.revision === undefined || session.initialized || session.isWarnedOf) return;
  session.isWarnedOf = true;
  server.note('warning', `${what} came before "notifications/initialized"`);
}

/** The log level of its sender, or the default before a handshake. */
function levelOf(
  server: EngineState,
  { caller, session }: Pick<Peer, 'caller' | 'session'>,
  { message, call }: Rejected,
): LogLevel | undefined {
  const known = call?.caller ?? caller;
  if (known !== undefined) return known.logLevel;
  if (message !== undefined && 'method' in message && claimsStateless(message.params)) return undefined;
  if (session?.revision !== undefined) return session.logLevel;
  return session === undefined || session.isStateless ? undefined : (server.options.logLevel ?? 'info');
}
