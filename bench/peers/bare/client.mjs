// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { serveTurns } from '../client-turns.mjs';

const clientInfo = { name: 'bare', version: '1.0.0' };

serveTurns((transport, target, era) => {
  const messages = messagesOf(era);
  return transport === 'http' ? overHttp(createHttpSender(target), messages) : overStdio(target, messages);
});

/** Exchanges lines with a child process. Messages of one turn are sent in one write. */
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

/** Requests with `node:http` over keep-alive connections. */
function createHttpSender(target) {
  const { hostname, port, pathname: path } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const sender = {
    session: undefined,
    post: (headers, body) =>
      new Promise((resolve, reject) => {
        const own = { ...headers, 'content-length': Buffer.byteLength(body) };
        const sent = request({ agent, hostname, port, path, method: 'POST', headers: own });
        sent.on('error', reject);
        sent.on('response', (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => {
            sender.session ??= response.headers['mcp-session-id'];
            resolve(text);
          });
        });
        sent.end(body);
      }),
    async openStream(headers) {
      const opened = request({ agent, hostname, port, path, headers }).end();
      opened.on('error', () => {});
      const [response] = await once(opened, 'response');
      response.on('error', () => {}).resume();
    },
    close: async () => agent.destroy(),
  };
  return sender;
}

/** The messages of a bare client, and their HTTP headers. */
function messagesOf(era) {
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
async function overHttp(sender, { first, call, isHandshake, headers }) {
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
