import { clientCredentials, connect, httpTransport, memoryTransport, sseTransport } from '@ccmcp/core/client';
import { apiKey, httpHandler } from '@ccmcp/core/http';
import { featureServer, tryFeatures } from './features.mjs';

// A Worker that serves MCP: itself at /mcp, and in a Durable Object at /object/mcp and /object/sse. At /client it tests
// its own client, in memory or over the given transport.

const auth = apiKey({ keys: ['secret'] });
const handler = httpHandler(featureServer(), { auth });

/** Stores the state that a plain Worker may lose, or has in another instance: sessions and subscriptions. */
export class Features {
  handler = httpHandler(featureServer(), {
    auth,
    path: '/object/mcp',
    sse: { stream: '/object/sse', messages: '/object/messages' },
  });

  /** @param {Request} request */
  fetch(request) {
    return this.handler.fetch(request);
  }
}

export default {
  /** @param {Request} request @param {{ features: { idFromName(name: string): unknown, get(id: unknown): Features } }} env */
  async fetch(request, { features }) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/client')
      return Response.json(await tryClient(searchParams.get('by'), searchParams.get('server')));
    if (pathname.startsWith('/object/')) return features.get(features.idFromName('one')).fetch(request);
    return handler.fetch(request);
  },
};

const headers = { 'x-api-key': 'secret' };

/** @type {Record<string, (url: string) => import('@ccmcp/core/client').Transport>} */
const ways = {
  memory: () => memoryTransport(featureServer()),
  http: (url) => httpTransport(url, { headers }),
  sse: (url) => sseTransport(url, { headers }),
  oauth: (url) => httpTransport(url, { auth: clientCredentials({ clientId: 'worker', clientSecret: 'secret' }) }),
};

/** @param {string | null} by @param {string | null} url */
function tryClient(by, url) {
  const eras = by === 'sse' ? /** @type {const} */ (['handshake']) : undefined;
  const transport = () => /** @type {(url: string) => any} */ (ways[by ?? ''])(url ?? '');
  return tryFeatures((options) => connect(transport(), options), { ...(eras && { eras }) });
}
