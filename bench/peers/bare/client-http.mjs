// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
const clientInfo = { name: 'bare', version: '1.0.0' };

/** The messages of a bare client, and their HTTP headers. */
export function messagesOf(era) {
  const isHandshake = era === 'handshake';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  const sender = isHandshake ? {} : { _meta };
  return {
    isHandshake,
    first: isHandshake
      ? { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } }
      : { method: 'server/discover', params: sender },
    call: (message) => ({ method: 'tools/call', params: { name: 'echo', arguments: { message }, ...sender } }),
    headers: ({ method, params }, session) => ({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(isHandshake ? {} : { 'mcp-protocol-version': era, 'mcp-method': method }),
      ...(!isHandshake && params.name !== undefined && { 'mcp-name': params.name }),
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
    }),
  };
}

/** A client over HTTP; `sender` posts, keeps the `session` it gets, opens its stream, and closes. */
export async function overHttp(sender, { first, call, isHandshake, headers }) {
  let lastId = 0;
  const post = (message, body) => sender.post(headers(message, sender.session), body);
  const ask = ({ method, params }) =>
    post({ method, params }, JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params })).then(
      (text) => JSON.parse(text).result,
    );
  await ask(first);
  if (isHandshake) {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await post(initialized, JSON.stringify(initialized));
    await sender.openStream({ ...headers(initialized, sender.session), accept: 'text/event-stream' });
  }
  return { call: (message) => ask(call(message)), close: sender.close };
}
