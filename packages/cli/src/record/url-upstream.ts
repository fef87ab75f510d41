import { setTimeout } from 'node:timers/promises';
import { type HttpAuth, httpTransport, type Message } from '@ccmcp/core/client';
import { openTransport } from '@ccmcp/core/recording';
import { messageUpstream, type OpenUpstream } from './upstream.ts';

/** Time for answers after the client has ended, in milliseconds. */
const lingerMs = 2000;

/** An upstream behind a URL. */
export function urlUpstream(
  url: URL,
  { headers, auth, note }: { headers: Record<string, string>; auth: HttpAuth | undefined; note(text: string): void },
): OpenUpstream {
  return (events) =>
    messageUpstream(events, async (receive) => {
      const opened = await openTransport(httpTransport(url, { headers, ...(auth && { auth }) }), {
        receive,
        warn: note,
        closed: (reason) => events.closed(reason.message),
      });
      const fail = (message: Message, error: unknown): void => {
        const reason = (error as Error).message;
        if (!('method' in message && 'id' in message)) return note(reason);
        receive({ jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: reason } });
      };
      const sending = new Set<Promise<void>>();
      return {
        send(message) {
          const sent = Promise.resolve(opened.send(message))
            .catch((error: unknown) => fail(message, error))
            .finally(() => void sending.delete(sent));
          sending.add(sent);
        },
        async close() {
          // The client may have ended its input only.
          await Promise.race([Promise.allSettled(sending), setTimeout(lingerMs, undefined, { ref: false })]);
          await opened.close();
        },
      };
    });
}
