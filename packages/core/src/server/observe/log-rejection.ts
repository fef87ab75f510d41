import type { ErrorBody } from '../../jsonrpc/errors.ts';
import type { Message, Notification, Response } from '../../jsonrpc/message.ts';
import { type LogLevel, reaches } from '../../protocol/logging.ts';
import { claimsStateless } from '../../revisions/admit.ts';
import type { Call } from '../call/call.ts';
import type { Engine } from '../engine.ts';
import type { Exchange } from '../exchange.ts';
import { boundedData } from '../call/result-size.ts';

/** What is known of a message that was refused. */
interface Refused {
  /** Absent: it could not be read. */
  readonly message?: Message;
  readonly call?: Call | undefined;
}

/**
 * Logs an answer that says that a message was refused before middleware saw it, where the server wants that. The client is
 * told apart from the answer, whose HTTP status would be lost in a stream.
 */
export function logRejection(
  server: Engine,
  answer: Response | undefined,
  exchange?: Pick<Exchange, 'caller' | 'session' | 'crowded' | 'tell'>,
  refused: Refused = {},
): void {
  if (server.options.logRefusals !== true || answer === undefined || !('error' in answer)) return;
  const { message }: ErrorBody = answer.error;
  server.note('error', message);
  const level = exchange && levelOf(server, exchange, refused);
  if (level === undefined || !server.offers('logging') || exchange?.crowded || !reaches('error', level)) return;
  const params = { level: 'error', logger: server.info.name, data: boundedData(message) };
  const notification: Notification = { jsonrpc: '2.0', method: 'notifications/message', params };
  // One who has not begun a handshake expects nothing but answers: they come first.
  const isStranger = refused.call === undefined && exchange?.session?.revision === undefined;
  if (isStranger) exchange?.session?.refusals.push(notification);
  else exchange?.tell?.(notification);
}

/** What its sender wants to hear of the log. One who has not begun a handshake yet is expected to. */
function levelOf(
  server: Engine,
  { caller, session }: Pick<Exchange, 'caller' | 'session'>,
  { message, call }: Refused,
): LogLevel | undefined {
  const known = call?.caller ?? caller;
  if (known !== undefined) return known.logLevel;
  if (message !== undefined && 'method' in message && claimsStateless(message.params)) return undefined;
  if (session?.revision !== undefined) return session.logLevel;
  return session === undefined || session.isStateless ? undefined : (server.options.logLevel ?? 'info');
}
