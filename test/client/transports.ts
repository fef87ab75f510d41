import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server, ServerOptions } from '@ccmcp/core';
import {
  type Client,
  type ConnectOptions,
  connect,
  httpTransport,
  memoryTransport,
  spawn,
  sseTransport,
  type Transport,
} from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import { buildSync } from 'esbuild';
import { afterAll, expect, onTestFinished } from 'vitest';
import { growing } from './fixtures/growing.ts';

export const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Version = (typeof versions)[number];

const folder = mkdtempSync(join(tmpdir(), 'ccmcp-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

let built: string | undefined;

/** A program that serves everything on stdio. */
function program(): string {
  if (built !== undefined) return built;
  built = join(folder, 'server.mjs');
  buildSync({
    entryPoints: [fileURLToPath(new URL('./fixtures/server.ts', import.meta.url))],
    outfile: built,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['ccmcp-source'],
  });
  return built;
}

type TransportFactory = (server: Server, ended: Ended) => Transport | Promise<Transport>;

/** Registers a cleanup for the end of the test. */
type Ended = (end: () => Promise<void>) => void;

async function serve(server: Server, ended: Ended): Promise<string> {
  const service = await serveHttp(server, { sse: true });
  ended(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return service.url;
}

const factories = {
  memory: (server) => memoryTransport(server),
  stdio: () => spawn(process.execPath, [program()]),
  'content-length': () => spawn(process.execPath, [program()], { framing: 'content-length' }),
  http: async (server, ended) => httpTransport(await serve(server, ended)),
  sse: async (server, ended) => sseTransport((await serve(server, ended)).replace('/mcp', '/sse')),
} satisfies Record<string, TransportFactory>;

export type TransportKind = keyof typeof factories;

/** Every transport with each version that it supports. */
export const cells: readonly (readonly [kind: TransportKind, version: Version])[] = (
  Object.keys(factories) as TransportKind[]
).flatMap((kind) =>
  versions.filter((version) => isSupported(kind, version)).map((version) => [kind, version] as const),
);

/** The first transport has no newer era. Framing does not depend on the version. */
function isSupported(kind: TransportKind, version: Version): boolean {
  if (kind === 'content-length') return version >= '2025-11';
  return kind !== 'sse' || version < '2026';
}

export interface Connected {
  client: Client;
  /** The server; with a child process, one like it. */
  server: Server;
  warnings: string[];
}

/**
 * Connects to a server with all features, in this version, over this transport, until the test ends. Warnings are
 * errors.
 */
export async function connectOver(
  kind: TransportKind,
  version: Version,
  options: ConnectOptions & { server?: Partial<ServerOptions>; ended?: Ended } = {},
): Promise<Connected> {
  const { server: settings, ended = onTestFinished, ...rest } = options;
  const server = growing({ logger: { level: 'emergency', write: () => {} }, ...settings });
  const warnings: string[] = [];
  const transport = await factories[kind](server, ended);
  const client = await connect(transport, { version, onWarning: (text) => warnings.push(text), ...rest });
  ended(async () => {
    await client.close();
    expect(warnings).toEqual([]);
  });
  return { client, server, warnings };
}
