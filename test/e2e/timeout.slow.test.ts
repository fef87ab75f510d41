import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, describe, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';

async function exitCode(...args: string[]): Promise<number | null> {
  const child = spawn(launcher, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('the command with --timeout', () => {
  it('exits although an HTTP server sends an endless response', async () => {
    const trickle: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    };
    const server = createServer(trickle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;

    expect(await exitCode('list', `http://127.0.0.1:${port}/mcp`, '--timeout', '0.5')).toBe(8);
  });

  it('terminates a program that answered only the handshake', async () => {
    const folder = emptyFolder();
    const [program, seen] = [join(folder, 'stuck.mjs'), join(folder, 'seen')];
    // Prints how long after the end of its input it was told to exit.
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs';
       import { createInterface } from 'node:readline';
       const lines = createInterface({ input: process.stdin });
       let end = 0;
       lines.on('line', (line) => {
         const { id, method } = JSON.parse(line);
         const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
         const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } };
         if (method === 'initialize' || method === 'server/discover') console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
       });
       lines.on('close', () => (end = performance.now()));
       process.on('SIGTERM', () => {
         writeFileSync(${JSON.stringify(seen)}, String(performance.now() - end));
         process.exit();
       });
       setInterval(() => {}, 1000);`,
    );

    expect(await exitCode('call', '--timeout', '1', 'tool', '--', process.execPath, program)).toBe(8);
    expect(Number(readFileSync(seen, 'utf8'))).toBeLessThan(1500);
  });
});
