import { once } from 'node:events';
import { createServer } from 'node:http';
import { httpHandler } from '@ccmcp/core/http';
import { featureServer } from './features.mjs';

/** A server that requires a token, with an authorization server that issues one to the client `worker`. */
export async function startGuarded() {
  const token = 'a-token';
  const mcp = httpHandler(featureServer(), {
    auth: {
      authenticate: (request) =>
        request.header('authorization') === `Bearer ${token}`
          ? { principal: 'worker' }
          : {
              status: 401,
              message: 'A token is needed',
              headers: {
                'WWW-Authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
              },
            },
    },
  });
  /** @type {Record<string, (request: import('node:http').IncomingMessage) => object>} */
  const pages = {
    '/.well-known/oauth-protected-resource': () => ({ resource: `${origin}/mcp`, authorization_servers: [origin] }),
    '/.well-known/oauth-authorization-server': () => ({
      issuer: origin,
      token_endpoint: `${origin}/token`,
      grant_types_supported: ['client_credentials'],
    }),
    '/token': ({ headers }) =>
      headers.authorization === `Basic ${btoa('worker:secret')}`
        ? { access_token: token, token_type: 'Bearer', expires_in: 3600 }
        : { error: 'invalid_client' },
  };
  const http = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) return mcp.node(request, response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page(request)));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address());
  const origin = `http://127.0.0.1:${port}`;
  const stop = () => {
    http.close();
    http.closeAllConnections();
  };
  return { url: `${origin}/mcp`, stop };
}
