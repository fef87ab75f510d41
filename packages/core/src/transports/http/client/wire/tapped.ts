import type { HttpTap, HttpWatch } from '../../../../client/http-tap.ts';
import type { HttpResponse, SendRequest } from './response.ts';

/** Sends requests as before, and lets a tap see them and what comes back. */
export function tapped(send: SendRequest, tap: HttpTap): SendRequest {
  return async (url, outgoing) => {
    const { method, headers, body } = outgoing;
    const watch = tap.request({ method, url: url.href, headers, body, about: 'messages' });
    if (watch === undefined) return send(url, outgoing);
    try {
      await watch.ready;
      const response = await send(url, outgoing);
      watch.response({
        status: response.status,
        statusText: response.statusText,
        headers: response.headers?.() ?? [],
      });
      return watched(response, watch);
    } catch (error) {
      watch.end(error);
      throw error;
    }
  };
}

function watched(response: HttpResponse, watch: HttpWatch): HttpResponse {
  const { status, statusText, address } = response;
  return {
    status,
    statusText,
    address,
    header: (name) => response.header(name),
    body: seen(response.body, watch),
    async text(most) {
      try {
        const text = await response.text(most);
        if (text !== undefined) watch.data(text);
        watch.end(text === undefined ? new Error(`The answer is longer than ${most} bytes`) : undefined);
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

async function* seen(body: AsyncIterable<Uint8Array>, watch: HttpWatch): AsyncGenerator<Uint8Array> {
  let failed: unknown;
  try {
    for await (const chunk of body) {
      watch.data(chunk);
      yield chunk;
    }
  } catch (error) {
    failed = error;
    throw error;
  } finally {
    watch.end(failed);
  }
}
