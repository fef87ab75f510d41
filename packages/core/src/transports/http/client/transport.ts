import type { Receiver, Transport } from '../../../client/transport.ts';
import type { Request } from '../../../jsonrpc/message.ts';
import { sseTransport } from '../../sse/client/transport.ts';
import { Endpoint } from './endpoint.ts';
import { MessagePoster } from './message-poster.ts';
import { openServerStream } from './server-stream.ts';
import { deliverMessages } from './wire/parse-response.ts';
import { type HttpClientOptions, displayUrl } from './wire/sender.ts';

/** Connects over Streamable HTTP in either era, with a fallback to HTTP+SSE. */
export function httpTransport(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = new Endpoint(url, options);
  const { session, maxMessage } = endpoint;
  let receiver: Receiver;
  let streamAbort = new AbortController();
  let sseFallback: Transport | undefined;

  /** Ends a session, unless another one has started. */
  function endSession(id: string | undefined): boolean {
    const left = session.end(id);
    if (left) streamAbort.abort();
    return left;
  }

  async function sendOverSse(request: Request): Promise<boolean> {
    const candidate = sseTransport(endpoint.url, options);
    try {
      await candidate.start(receiver);
    } catch {
      return false;
    }
    sseFallback = candidate;
    await sseFallback.send(request);
    return true;
  }

  const poster = new MessagePoster(endpoint, {
    get receiver() {
      return receiver;
    },
    sessionLost: endSession,
    sendOverSse,
  });

  return {
    streamPerRequest: true,
    kind: 'http',
    endpoint: displayUrl(endpoint.url),
    async start(by) {
      receiver = by;
      sseFallback = undefined;
    },
    send: (message) => (sseFallback === undefined ? poster.post(message) : sseFallback.send(message)),
    session: () => session.id,
    abandon: (id) => poster.abandon(id),
    async openStream() {
      if (sseFallback !== undefined) return;
      streamAbort.abort();
      streamAbort = new AbortController();
      const { signal } = streamAbort;
      await openServerStream({
        signal,
        maxMessage,
        open: (lastEventId) => endpoint.get(lastEventId, signal),
        onData: (data) => deliverMessages(data, receiver),
        warn: (text) => receiver.warn(text),
        onSessionLost() {
          if (endSession(session.id)) receiver.sessionLost();
        },
      });
    },
    async close(graceMs) {
      streamAbort.abort();
      await poster.close(graceMs);
      await sseFallback?.close();
      await endpoint.endSession(graceMs).catch(() => {});
    },
  };
}
