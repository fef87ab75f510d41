import { createServer as createHttp, type RequestListener, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { createServer, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { expect, onTestFinished } from 'vitest';
import { run } from './ccmcp.ts';

/** The findings of the command. */
export interface Found {
  code: number | null;
  steps: { step: string; ok: boolean; says: string }[];
  speaks?: { transport: string; era: string; protocolVersion: string; tools: number };
  problem?: { kind: string; message: string; advice: string };
}

/** Runs `ccmcp probe`, whose output must all be on stdout. */
export async function probe(...args: string[]): Promise<Found> {
  const { code, stdout, stderr } = await run(['probe', '--json', ...args]);
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

/** Listens on a free port until the test ends. */
export async function listening(server: HttpServer | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A web server that answers all requests the same way. */
export async function web(listener: RequestListener, path = '/mcp'): Promise<string> {
  return `http://127.0.0.1:${await listening(createHttp(listener))}${path}`;
}

/** An MCP server over HTTP with one tool. */
export async function mcp(options: { sse?: true } = {}): Promise<string> {
  const server = createServer({ name: 'probed', version: '1.0.0', tools: [tool('hi', {}, () => 'hi')] });
  const service = await serveHttp(server, { port: 0, ...options });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return service.url;
}

/** A command line for the given program text. */
export const script = (code: string): string[] => ['--', process.execPath, '-e', code];
