// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
const { createServer } = require('node:http');
const { join } = require('node:path');

// The least that an inspector can be: it says its address, starts a server and asks it for its tools, and has a page of one line for them.
const page = "<body><script>fetch('tools').then((r) => r.json()).then((t) => document.body.append(t.join()))</script>";

const http = createServer((request, response) => {
  const isPage = request.url === '/';
  response.writeHead(200, {
    'Content-Type': isPage ? 'text/html' : 'application/json',
    'Cache-Control': 'no-store',
  });
  if (isPage) response.end(page);
  else void listed.then((names) => response.end(JSON.stringify(names)));
});
const listed = new Promise((resolve) => {
  http.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${http.address().port}/\n`);
    resolve(toolsOfNotes());
  });
});

function toolsOfNotes() {
  const { spawn } = require('node:child_process');
  const program = join(__dirname, '../node_modules/ccmcp/dist/main.cjs');
  const child = spawn(process.execPath, [program, 'notes'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const clientInfo = { name: 'bare', version: '1' };
  const session = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  child.stdin.write(session.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  process.once('SIGTERM', () => process.exit(child.kill() ? 0 : 1));
  return new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const answer = text.split('\n').find((line) => line.includes('"tools":['));
      if (answer !== undefined && text.endsWith('\n')) resolve(JSON.parse(answer).result.tools.map(({ name }) => name));
    });
  });
}
