import { toAbortSignal } from '../../../../client/abort-signals.ts';
import { readText, type SendRequest } from './response.ts';

/** Sends requests with `fetch` or a function like it. */
export function sendByFetch(fetchIt: typeof fetch): SendRequest {
  return async (url, request) => {
    const response = await fetchIt(url, { ...request, signal: toAbortSignal(request.signal), redirect: 'manual' });
    const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
    return {
      status: response.status,
      statusText: response.statusText,
      header: (name) => response.headers.get(name) ?? undefined,
      headers: () => [...response.headers],
      body,
      text: (most) => readText(body, most),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
}
