// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
const clientInfo = { name: 'bare', version: '1.0.0' };

/** The messages of a client that knows nothing but these, and the headers that go with them over HTTP. */
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
