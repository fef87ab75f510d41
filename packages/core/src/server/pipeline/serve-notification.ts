import { brief, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Notification } from '../../jsonrpc/message.ts';
import { declares, isInEra } from '../../protocol/capabilities.ts';
import { readCaller } from '../../revisions/read-caller.ts';
import type { Caller } from '../../revisions/revision.ts';
import { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';
import type { EngineState } from '../engine-state.ts';
import { warnUninitialized } from '../log/log-rejection.ts';
import { cancelRunning } from '../methods/notifications/cancelled.ts';
import type { Peer } from '../peer.ts';

/** The part of the engine that runs the method of a notification. */
interface NotificationServer extends EngineState {
  run(call: Call): Outcome | Promise<Outcome>;
}

/** Serves a notification. Never throws. */
export function serveNotification(server: NotificationServer, notification: Notification, peer: Peer): void {
  const { method } = notification;
  if (method === 'notifications/cancelled') {
    cancelRunning(notification, peer);
    return;
  }
  const report = (error: unknown): void => server.reportError(`Unexpected error in ${method}`, error);
  try {
    const caller = peer.caller ?? readCaller(notification) ?? peer.session;
    if (caller?.revision === undefined || !accepts(server, method, caller as Caller)) return;
    const call = new Call(server, notification, peer);
    call.caller = caller as Caller;
    const outcome = server.run(call);
    if (outcome instanceof Promise) outcome.catch(report);
  } catch (error) {
    // A notification has no answer: one that can't be parsed is no error of this side.
    if (!(error instanceof ProtocolError)) report(error);
  }
}

/** True for notifications of the client's revision, and of an extension that both sides have. */
function accepts({ extensions }: EngineState, method: string, { revision, capabilities }: Caller): boolean {
  if (revision.notifications.has(method)) return revision.era === 'handshake';
  const found = extensions.notification(method);
  if (found?.notification.receive === undefined || !isInEra(found.extension, revision.era)) return false;
  return revision.era === 'handshake' || declares(capabilities, found.extension.id);
}

/** Logs once per client that a message came before `notifications/initialized`. */
export function warnEarly(server: EngineState, method: string, peer: Peer): void {
  if (method !== 'notifications/initialized') warnUninitialized(server, `"${brief(method)}"`, peer);
}
