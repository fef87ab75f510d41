import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, httpTransport, sseTransport } from '@ccmcp/core/client';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { build } from 'esbuild';
import { featureServer, tryFeatures } from './features.mjs';
import { startGuarded } from './guarded.mjs';

// Tests all features in workerd: a server in a Worker and in a Durable Object, and a client. Each compatibility date is
// tested with and without Node's modules.

/**
 * The first one has streams that a program can create; the others are before and after large changes; the last is
 * today's.
 */
const dates = ['2022-11-30', '2024-09-01', '2025-05-05', '2026-11-01'];
const places = dates.flatMap((date) => {
  // From this date on Node's modules are available by default.
  const [without, with_] = date < '2026-08-04' ? [[], ['nodejs_compat']] : [['no_nodejs_compat'], []];
  return [
    { name: `${date} without Node`, date, flags: without },
    { name: `${date} with Node`, date, flags: with_ },
  ];
});

const [program = ''] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'workerd-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
await bundleWorker();
writeFileSync(join(work, 'config.capnp'), config());
const service = await serveHttp(featureServer(), { auth: apiKey({ keys: ['secret'] }), sse: true });
const guarded = await startGuarded();
const workerd = spawn(program, ['serve', '--experimental', '--control-fd=3', join(work, 'config.capnp')], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});
let good = true;
try {
  const ports = await portsOf(workerd);
  for (const [index, { name }] of places.entries())
    await tryPlace(name, `http://127.0.0.1:${ports.get(`socket${index}`)}`);
} finally {
  workerd.kill();
  await service.close({ graceMs: 0, lingerMs: 0 });
  guarded.stop();
}
process.exitCode = good ? 0 : 1;

/** @param {string} name @param {string} origin */
async function tryPlace(name, origin) {
  const headers = { 'x-api-key': 'secret' };
  /** @param {string} path @returns {import('./features.mjs').Connecting} */
  const reach = (path) => (options) => connect(httpTransport(`${origin}${path}`, { headers }), options);
  /** @param {string} by @returns {Promise<{ tried: number, wrong: string[] }>} */
  const inside = async (by, server = '') => {
    const query = new URLSearchParams({ by, server }).toString();
    const answer = await fetch(`${origin}/client?${query}`);
    return /** @type {any} */ (await answer.json());
  };
  const results = {
    'many first requests at once': await tryAtOnce(reach('/mcp')),
    'server in a Worker': await tryFeatures(reach('/mcp'), { eras: ['stateless'], listens: false }),
    'server in a Durable Object': await tryFeatures(reach('/object/mcp')),
    'server over SSE in a Durable Object': await tryFeatures(
      (options) => connect(sseTransport(`${origin}/object/sse`, { headers }), options),
      { eras: ['handshake'] },
    ),
    'client of a server in memory': await inside('memory'),
    'client over HTTP': await inside('http', service.url),
    'client over SSE': await inside('sse', service.url.replace('/mcp', '/sse')),
    'client with OAuth': await inside('oauth', guarded.url),
  };
  const entries = Object.entries(results);
  const tried = entries.reduce((sum, [, result]) => sum + result.tried, 0);
  const wrong = entries.flatMap(([what, result]) => result.wrong.map((each) => `${what}, ${each}`));
  console.log(`  ${name}: ${tried - wrong.length} of ${tried}`);
  for (const each of wrong) console.log(`    ${each}`);
  good &&= wrong.length === 0 && entries.every(([, result]) => result.tried > 0);
}

/**
 * Sends many concurrent calls to a new server: the first call loads modules, the others wait for them, each in its own
 * request.
 *
 * @param {import('./features.mjs').Connecting} connecting
 */
async function tryAtOnce(connecting) {
  const calls = Array.from({ length: 20 }, async () => {
    const client = await connecting({ era: 'stateless', timeoutMs: 20_000 });
    const { structuredContent } = await client.callTool('order', { isbn: '978-3', tags: ['a'] });
    await client.close();
    return JSON.stringify(structuredContent);
  });
  const answers = await Promise.allSettled(calls);
  const wrong = answers.flatMap((answer) => {
    if (answer.status === 'rejected') return [String(answer.reason)];
    return answer.value === '{"of":"978-3"}' ? [] : [answer.value];
  });
  return { tried: answers.length, wrong };
}

/** Bundles a Worker as users do: one file, with Node's modules external. */
async function bundleWorker() {
  await build({
    entryPoints: [join(dirname(fileURLToPath(import.meta.url)), 'worker.mjs')],
    outfile: join(work, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    logLevel: 'warning',
  });
}

function config() {
  const quoted = (/** @type {string[]} */ texts) => texts.map((text) => JSON.stringify(text)).join(', ');
  const workers = places.map(
    ({ date, flags }, index) => `(name = "worker${index}", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
      compatibilityDate = "${date}",
      compatibilityFlags = [${quoted(flags)}],
      bindings = [(name = "features", durableObjectNamespace = "Features")],
      durableObjectNamespaces = [(className = "Features", uniqueKey = "features${index}")],
      durableObjectStorage = (inMemory = void),
    ))`,
  );
  const sockets = places.map(
    (_, index) => `(name = "socket${index}", address = "127.0.0.1:0", http = (), service = "worker${index}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "internet", network = (allow = ["private"])), ${workers.join(', ')}],
  sockets = [${sockets.join(', ')}],
);
`;
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<Map<string, number>>} */
async function portsOf(child) {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('workerd did not start')));
  ended.catch(() => {});
  const found = new Map();
  const lines = createInterface(/** @type {import('node:stream').Readable} */ (child.stdio[3]));
  const all = new Promise((resolve) => {
    lines.on('line', (line) => {
      const { event, socket, port } = JSON.parse(line);
      if (event === 'listen') found.set(socket, port);
      if (found.size === places.length) resolve(found);
    });
  });
  return Promise.race([all, ended]);
}
