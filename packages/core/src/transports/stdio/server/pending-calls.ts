import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Notification, RequestId } from '../../../jsonrpc/message.ts';
import type { Exchange } from '../../../server/exchange.ts';
import type { Responses } from '../../../server/call/encode-responses.ts';
import type { Engine } from '../../../server/engine.ts';

/** The calls that still run when their connection ends. */
export interface PendingCalls {
  /** Closes long-lived calls. */
  closeLongLived(): void;
  /** Answers the other calls with an error, and aborts their handlers. */
  rejectAll(): void;
  /** What must follow an answer: a cancellation, if it belongs to a long-lived call that this side closed. */
  followUp(reply: Responses): Notification | undefined;
}

/** Ends the calls of a connection that shuts down. */
export function pendingCalls(server: Engine, running: Exchange['running']): PendingCalls {
  /** Long-lived calls closed by this side, until they are answered. */
  const ended = new Set<RequestId>();

  return {
    closeLongLived() {
      for (const [id, call] of running) {
        if (!call.standing) continue;
        ended.add(id);
        call.close();
      }
    },
    rejectAll() {
      const reason = new ProtocolError(ErrorCode.InternalError, 'The server was shut down before the request was done');
      for (const [id, call] of running) {
        if (call.standing) continue;
        call.settle(server.refusal(id, reason));
        call.stop(reason);
      }
    },
    followUp(reply) {
      if (ended.size === 0 || reply === undefined || Array.isArray(reply)) return undefined;
      if (reply.id === null || !ended.delete(reply.id)) return undefined;
      return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: reply.id } };
    },
  };
}
