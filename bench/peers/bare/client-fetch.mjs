// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveTurns } from '../client-turns.mjs';
import { messagesOf } from './client-messages.mjs';

/** The same over HTTP as `client.mjs`, by the global `fetch`. */
serveTurns(async (_transport, target, era) => {
  const { first, call, isHandshake, headers } = messagesOf(era);
  const closing = new AbortController();
  let session;
  let lastId = 0;
  const post = async (message, body) => {
    const response = await fetch(target, { method: 'POST', headers: headers(message, session), body });
    session ??= response.headers.get('mcp-session-id') ?? undefined;
    return response.text();
  };
  const ask = async ({ method, params }) =>
    JSON.parse(await post({ method, params }, JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }))).result;
  await ask(first);
  if (isHandshake) {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await post(initialized, JSON.stringify(initialized));
    await fetch(target, {
      headers: { ...headers(initialized, session), accept: 'text/event-stream' },
      signal: closing.signal,
    });
  }
  return {
    call: (message) => ask(call(message)),
    close: async () => closing.abort(),
  };
});
