// Shows the view of a tool in a page of its own. Run it with: node examples/app-host/host.js, and open the address that it prints.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { appsClient } from '@ccmcp/core/apps';
import { serveAppSandbox } from '@ccmcp/core/apps-sandbox';
import { connect, memoryTransport } from '@ccmcp/core/client';
import { moonphaseServer } from '@ccmcp/servers/moonphase';

// The server could be anywhere; its client says that we show views.
const client = await connect(memoryTransport(moonphaseServer()), { extensions: [appsClient] });

const scripts = {
  '/page.js': new URL('page.js', import.meta.url),
  '/apps-host.js': new URL(import.meta.resolve('@ccmcp/core/apps-host')),
};
const page = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Views</title>
<p id="status"></p><div id="view"></div><script type="module" src="/page.js"></script>`;

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(request, response) {
  const { url = '', method } = request;
  if (Object.hasOwn(scripts, url)) {
    response.setHeader('content-type', 'text/javascript').end(readFileSync(scripts[/** @type {'/page.js'} */ (url)]));
  } else if (url === '/start') {
    const tool = (await client.listTools().all()).find(({ name }) => name === 'moonphase');
    response.end(JSON.stringify({ sandboxUrl: sandbox.url, tool }));
  } else if (url === '/request' && method === 'POST' && request.headers.origin === origin) {
    const { method: asked, params } = JSON.parse((await request.toArray()).join(''));
    const answered = await client.request(asked, params).then(
      (result) => ({ result }),
      ({ code, message }) => ({ error: { code, message } }),
    );
    response.end(JSON.stringify(answered));
  } else {
    // Frames may come from the sandbox alone: no view can take its frame elsewhere.
    const policy = `default-src 'self'; style-src 'unsafe-inline'; frame-src ${sandbox.url}; frame-ancestors 'none'`;
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy).end(page);
  }
}

const server = createServer((request, response) => void answer(request, response));

const port = await new Promise((resolve) =>
  server.listen(0, '127.0.0.1', () => resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port)),
);
const origin = `http://127.0.0.1:${port}`;
const sandbox = await serveAppSandbox({ hosts: [origin] });
process.stdout.write(`${origin}\n`);
