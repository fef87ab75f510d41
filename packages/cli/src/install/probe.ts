import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, HttpError, httpTransport, spawn, type Transport } from '@ccmcp/core/client';
import manifest from '../../package.json' with { type: 'json' };
import { findCommand } from './find-command.ts';
import { withoutValues } from './secrets.ts';
import type { HttpEntry, ServerEntry, StdioEntry } from './server-entry.ts';
import type { Place } from './world.ts';

/** What a server said when it was asked. */
export interface Answer {
  /** How long it took from the start to the first answer, in milliseconds. */
  ms: number;
  name?: string;
  version?: string;
  protocolVersion: string;
  tools: number;
  resources: number;
  prompts: number;
}

/** A server that is there but wants somebody to log in, which is its client's business. */
export class LoginWanted extends Error {}

/** Starts or reaches a server, asks what it offers, and ends it. Throws in words where that fails. */
export async function probe(entry: ServerEntry, place: Place, { timeoutMs }: { timeoutMs: number }): Promise<Answer> {
  const secrets = Object.values(entry.kind === 'http' ? entry.headers : entry.env);
  try {
    return await ask(entry.kind === 'http' ? reach(entry) : start(entry, place), timeoutMs);
  } catch (error) {
    const wantsLogin = error instanceof HttpError && error.status === 401;
    if (wantsLogin && secrets.length === 0) throw new LoginWanted('it answers, and wants a login', { cause: error });
    throw new Error(withoutValues(inWords(error, timeoutMs), secrets), { cause: error });
  }
}

function inWords(error: unknown, timeoutMs: number): string {
  if (error instanceof HttpError && error.status === 401)
    return 'it refuses the headers that are configured (HTTP 401)';
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  return error instanceof Error ? error.message : String(error);
}

async function ask(transport: Transport, timeoutMs: number): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const began = performance.now();
  const client = await connect(transport, {
    clientInfo: { name: 'ccmcp doctor', version: manifest.version },
    signal,
    timeoutMs,
    probeMs: Math.min(3000, timeoutMs / 2),
    onWarning: () => {},
  });
  const ms = performance.now() - began;
  try {
    const { capabilities, serverInfo, protocolVersion } = client;
    const [tools, resources, prompts] = await Promise.all([
      capabilities.tools === undefined ? [] : client.listTools({ signal }).all(),
      capabilities.resources === undefined ? [] : client.listResources({ signal }).all(),
      capabilities.prompts === undefined ? [] : client.listPrompts({ signal }).all(),
    ]);
    return {
      ms,
      ...(serverInfo && { name: serverInfo.name, version: serverInfo.version }),
      protocolVersion,
      tools: tools.length,
      resources: resources.length,
      prompts: prompts.length,
    };
  } finally {
    await client.close();
  }
}

function start({ command, args, env, cwd: own }: StdioEntry, place: Place): Transport {
  const cwd = resolve(place.cwd, own ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`its folder ${cwd} does not exist`);
  const path = findCommand(command, { ...place, cwd, env: { ...place.env, ...env } });
  // Windows runs such files through its shell only.
  const isBatch = place.platform === 'win32' && /\.(?:cmd|bat)$/i.test(path);
  return isBatch
    ? spawn(place.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', path, ...args], { env, cwd })
    : spawn(path, args, { env, cwd });
}

function reach({ url, headers }: HttpEntry): Transport {
  if (!URL.canParse(url)) throw new Error('its address is not a URL');
  return httpTransport(url, { headers });
}
