import { fileURLToPath } from 'node:url';
import { compose } from '@ccmcp/core/compose';
import { serveHttp } from '@ccmcp/core/http';
import { serveStdio } from '@ccmcp/core/stdio';
import { type RemoteTarget, remote } from '@ccmcp/gateway';
import { fixtureServer } from './server.ts';

/** Serves the fixture behind a gateway, over the transport of the first argument, and prints the gateway's URL. */
async function serveGateway(transport: string | undefined): Promise<void> {
  const up = remote({ name: 'up', prefix: '', target: await targetOf(transport) });
  const { url } = await serveHttp(compose({ up }, { name: 'conformance-gateway', version: '1.0.0' }), { port: 0 });
  console.log(url);
}

async function targetOf(transport: string | undefined): Promise<RemoteTarget> {
  if (transport === 'http') return { url: (await serveHttp(fixtureServer(), { port: 0 })).url };
  return { command: process.execPath, args: [fileURLToPath(import.meta.url), 'upstream'] };
}

if (process.argv[2] === 'upstream') serveStdio(fixtureServer());
else await serveGateway(process.argv[2]);
