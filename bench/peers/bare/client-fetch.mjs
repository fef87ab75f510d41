// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveTurns } from '../client-turns.mjs';
import { messagesOf, overHttp } from './client-http.mjs';

/** The same over HTTP as `client.mjs`, with the global `fetch`. */
serveTurns((_transport, target, era) => {
  const closing = new AbortController();
  const sender = {
    session: undefined,
    async post(headers, body) {
      const response = await fetch(target, { method: 'POST', headers, body });
      sender.session ??= response.headers.get('mcp-session-id') ?? undefined;
      return response.text();
    },
    openStream: (headers) => fetch(target, { headers, signal: closing.signal }),
    close: async () => closing.abort(),
  };
  return overHttp(sender, messagesOf(era));
});
