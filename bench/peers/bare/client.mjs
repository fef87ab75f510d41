// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { serveTurns } from '../client-turns.mjs';
import { messagesOf } from './client-messages.mjs';

serveTurns((transport, target, era) => (transport === 'http' ? overHttp : overStdio)(target, messagesOf(era)));

/** Lines to a child process and back. What is sent in one turn goes out in one write. */
async function overStdio(target, { first, call, isHandshake }) {
  const child = spawn(process.execPath, [target], { stdio: ['pipe', 'pipe', 'ignore'] });
  const open = new Map();
  let lastId = 0;
  let unsent = '';
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      open.get(id)(result);
      open.delete(id);
    }
  });
  const send = (message) => {
    if (unsent === '') {
      queueMicrotask(() => {
        child.stdin.write(unsent);
        unsent = '';
      });
    }
    unsent += `${JSON.stringify(message)}\n`;
  };
  const ask = ({ method, params }) =>
    new Promise((resolve) => {
      const id = ++lastId;
      open.set(id, resolve);
      send({ jsonrpc: '2.0', id, method, params });
    });
  await ask(first);
  if (isHandshake) send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    call: (message) => ask(call(message)),
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** A request for each message, by `node:http`, over connections that are kept. */
async function overHttp(target, { first, call, isHandshake, headers }) {
  const { hostname, port, pathname } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let session;
  let lastId = 0;
  const post = (message, body) =>
    new Promise((resolve, reject) => {
      const sent = request({
        agent,
        hostname,
        port,
        path: pathname,
        method: 'POST',
        headers: { ...headers(message, session), 'content-length': Buffer.byteLength(body) },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          session ??= response.headers['mcp-session-id'];
          resolve(text);
        });
      });
      sent.end(body);
    });
  const ask = ({ method, params }) =>
    post({ method, params }, JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params })).then(
      (text) => JSON.parse(text).result,
    );
  await ask(first);
  if (isHandshake) {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await post(initialized, JSON.stringify(initialized));
    // As a client of a session has it: a stream for what the server says by itself.
    const opened = request({
      agent,
      hostname,
      port,
      path: pathname,
      headers: { ...headers(initialized, session), accept: 'text/event-stream' },
    }).end();
    opened.on('error', () => {});
    const [response] = await once(opened, 'response');
    response.on('error', () => {}).resume();
  }
  return {
    call: (message) => ask(call(message)),
    close: async () => agent.destroy(),
  };
}
