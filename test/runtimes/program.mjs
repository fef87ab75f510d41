import { clientCredentials, connect, httpTransport, memoryTransport, spawn, sseTransport } from '@ccmcp/core/client';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { serveStdio } from '@ccmcp/core/stdio';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ccmcpServer } from '@ccmcp/servers/ccmcp';
import { greetingServer } from '@ccmcp/servers/greeting';
import { miniagentServer } from '@ccmcp/servers/miniagent';
import { moonphaseServer } from '@ccmcp/servers/moonphase';
import { notesServer } from '@ccmcp/servers/notes';
import { featureServer, tryFeatures } from './features.mjs';
import { startGuarded } from './guarded.mjs';

// Tests all features in the runtime of this program, over every transport. With the argument `serve`, it is such a
// server on stdio.

if (process.argv.includes('serve')) serveStdio(featureServer());
else process.exitCode = (await tryAll()) ? 0 : 1;

async function tryAll() {
  const keyed = { headers: { 'x-api-key': 'secret' } };
  const service = await serveHttp(featureServer(), { sse: true, auth: apiKey({ keys: ['secret'] }) });
  // The flags of a runtime precede the file; the caller passes them.
  const flags = process.env.RUNTIME_FLAGS?.split(' ') ?? [];
  const serve = () =>
    spawn(process.execPath, [...flags, fileURLToPath(import.meta.url), 'serve'], { stderr: 'inherit' });
  const guarded = await startGuarded();
  const auth = clientCredentials({ clientId: 'worker', clientSecret: 'secret' });
  const handshake = /** @type {const} */ (['handshake']);
  const results = [
    ['in memory', await tryFeatures((options) => connect(memoryTransport(featureServer()), options))],
    ['over HTTP', await tryFeatures((options) => connect(httpTransport(service.url, keyed), options))],
    [
      'over HTTP by fetch',
      await tryFeatures((options) => connect(httpTransport(service.url, { ...keyed, fetch }), options)),
    ],
    [
      'over SSE',
      await tryFeatures((options) => connect(sseTransport(service.url.replace('/mcp', '/sse'), keyed), options), {
        eras: handshake,
      }),
    ],
    ['with OAuth', await tryFeatures((options) => connect(httpTransport(guarded.url, { auth }), options))],
    ['the ready-made servers', await tryServers()],
    ['on stdio', await tryFeatures((options) => connect(serve(), options))],
  ];
  guarded.stop();
  await service.close({ graceMs: 0, lingerMs: 0 });
  let good = true;
  for (const [where, { tried, wrong }] of /** @type {[string, { tried: number, wrong: string[] }][]} */ (results)) {
    console.log(`  ${where}: ${tried - wrong.length} of ${tried}`);
    for (const each of wrong) console.log(`    ${each}`);
    good &&= wrong.length === 0 && tried > 0;
  }
  return good;
}

/** Calls the tool of each ready-made server that depends most on the runtime: files, a database, a calculation. */
async function tryServers() {
  const root = mkdtempSync(join(tmpdir(), 'runtimes-'));
  const logLevel = 'error';
  /** @type {[import('@ccmcp/core').Server, string, Record<string, unknown>, RegExp][]} */
  const tries = [
    [ccmcpServer({ root, logLevel }), 'write_file', { path: 'a.txt', content: 'x' }, /^Wrote 1 bytes/],
    [
      notesServer({ db: join(root, 'notes.db'), logLevel }),
      'create_note',
      { title: 'a', content: 'b' },
      /^Created: note_/,
    ],
    [moonphaseServer({ logLevel }), 'moonphase', { datetime: '2024-01-11T12:00Z' }, /new moon/],
    [miniagentServer({ logLevel }), 'lookup_irregular_verb', { verb: 'go' }, /went/],
    [greetingServer(), 'HelloTool', { value: 'Ada' }, /^Hello-bonjour Ada!$/],
  ];
  const wrong = [];
  for (const [server, name, args, expected] of tries) {
    const client = await connect(memoryTransport(server));
    const { content } = await client.callTool(name, args);
    const text = JSON.stringify(content[0]?.type === 'text' ? content[0].text : content);
    if (!expected.test(JSON.parse(text))) wrong.push(`${name}: ${text}`);
    await client.close();
  }
  rmSync(root, { recursive: true, force: true });
  return { tried: tries.length, wrong };
}
