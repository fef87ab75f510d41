import type { Receiver, Transport } from '../../../client/transport.ts';
import type { Request } from '../../../jsonrpc/message.ts';
import { sseTransport } from '../../sse/client/transport.ts';
import { Endpoint } from './endpoint.ts';
import { Posting } from './message-poster.ts';
import { openStanding } from './server-stream.ts';
import { receiveAll } from './wire/parse-response.ts';
import { type HttpClientOptions, shown } from './wire/sender.ts';

/** Talks to a server over Streamable HTTP in either era, or over HTTP+SSE where it knows nothing newer. */
export function httpTransport(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = new Endpoint(url, options);
  const { session, maxMessage } = endpoint;
  let receiver: Receiver;
  let standing = new AbortController();
  let older: Transport | undefined;

  /** Leaves a session, unless that has been done and there is another. */
  function leave(id: string | undefined): boolean {
    const left = session.end(id);
    if (left) standing.abort();
    return left;
  }

  async function sendByOlder(request: Request): Promise<boolean> {
    const candidate = sseTransport(endpoint.url, options);
    try {
      await candidate.start(receiver);
    } catch {
      return false;
    }
    older = candidate;
    await older.send(request);
    return true;
  }

  const posting = new Posting(endpoint, {
    get receiver() {
      return receiver;
    },
    sessionLost: leave,
    sendByOlder,
  });

  return {
    streamPerRequest: true,
    kind: 'http',
    endpoint: shown(endpoint.url),
    async start(by) {
      receiver = by;
      older = undefined;
    },
    send: (message) => (older === undefined ? posting.post(message) : older.send(message)),
    session: () => session.id,
    abandon: (id) => posting.abandon(id),
    async openStream() {
      if (older !== undefined) return;
      standing.abort();
      standing = new AbortController();
      const { signal } = standing;
      await openStanding({
        signal,
        maxMessage,
        open: (lastEventId) => endpoint.get(lastEventId, signal),
        take: (data) => receiveAll(data, receiver),
        warn: (text) => receiver.warn(text),
        gone() {
          if (leave(session.id)) receiver.sessionLost();
        },
      });
    },
    async close() {
      standing.abort();
      await posting.finish();
      await older?.close();
      await endpoint.leaveSession().catch(() => {});
    },
  };
}
