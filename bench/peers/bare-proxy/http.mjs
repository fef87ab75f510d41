// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

/** The minimum of a proxy that parses and stringifies in both directions: rewrites ids and checks nothing. */
const upstream = fileURLToPath(new URL('../ccmcp/upstream.mjs', import.meta.url));
const child = spawn(process.execPath, [upstream], { stdio: ['pipe', 'pipe', 'inherit'] });
const open = new Map();
let lastId = 0;
let unsent = '';
let rest = [];
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = chunk.split('\n');
  for (let each = 0; each < lines.length - 1; each++) {
    const line = rest.length === 0 ? lines[each] : rest.join('') + lines[each];
    rest = [];
    const message = JSON.parse(line);
    const { id, response } = open.get(message.id);
    open.delete(message.id);
    const body = JSON.stringify({ ...message, id });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  }
  const last = lines.at(-1);
  if (last !== '') rest.push(last);
});

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const message = JSON.parse(body);
    const id = ++lastId;
    open.set(id, { id: message.id, response });
    if (unsent === '') queueMicrotask(send);
    unsent += `${JSON.stringify({ ...message, id })}\n`;
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));

function send() {
  child.stdin.write(unsent);
  unsent = '';
}
