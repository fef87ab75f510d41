import type { HttpTap, HttpWatch } from '../../../../client/http-tap.ts';
import type { HttpResponse, OutgoingRequest, SendRequest } from './response.ts';

/** Wraps a sender so that a tap sees its requests and responses. */
export function tapSender(send: SendRequest, tap: HttpTap): SendRequest {
  return async (url, request) => {
    const { method, headers, body } = request;
    const watch = tap.request({ method, url: url.href, headers, body, about: 'messages' });
    if (watch === undefined) return send(url, request);
    try {
      await watch.ready;
      const response = await send(url, request);
      watch.response({
        status: response.status,
        statusText: response.statusText,
        headers: response.headers?.() ?? [],
      });
      return tapResponse(response, watch, request.signal);
    } catch (error) {
      watch.end(error);
      throw error;
    }
  };
}

function tapResponse(response: HttpResponse, watch: HttpWatch, signal: OutgoingRequest['signal']): HttpResponse {
  const { status, statusText, address } = response;
  return {
    status,
    statusText,
    address,
    header: (name) => response.header(name),
    body: tapBody(response.body, watch, signal),
    async text(maxBytes) {
      try {
        const text = await response.text(maxBytes);
        if (text !== undefined) watch.data(text);
        watch.end(text === undefined ? new Error(`The answer is longer than ${maxBytes} bytes`) : undefined);
        return text;
      } catch (error) {
        watch.end(error);
        throw error;
      }
    },
    discard() {
      watch.end();
      response.discard();
    },
  };
}

async function* tapBody(
  body: AsyncIterable<Uint8Array>,
  watch: HttpWatch,
  signal: OutgoingRequest['signal'],
): AsyncGenerator<Uint8Array> {
  let failed: unknown;
  try {
    for await (const chunk of body) {
      watch.data(chunk);
      yield chunk;
    }
  } catch (error) {
    // Our own abort is a normal end.
    failed = signal.aborted ? undefined : error;
    throw error;
  } finally {
    watch.end(failed);
  }
}
