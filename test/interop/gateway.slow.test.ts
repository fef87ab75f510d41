import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';

type AnyClient = Pick<Client1 & Client2, 'close'> & {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<unknown>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>;
};
interface Program {
  command: string;
  args: string[];
}

const everything: Program = {
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')), 'stdio'],
};
const identity = { name: 'interop', version: '1.0.0' };
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };

const elicited = { action: 'accept', content: { name: 'Ann', check: true } } as const;
const sampled = { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' } as const;
const roots = { roots: [{ uri: 'file:///work', name: 'work' }] };

async function connect1(program: Program): Promise<AnyClient> {
  const client = new Client1(identity, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => elicited);
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
  client.setRequestHandler(ListRootsRequestSchema, () => roots);
  onTestFinished(() => client.close());
  await client.connect(new Stdio1({ ...program, stderr: 'ignore' }));
  return client as unknown as AnyClient;
}

async function connect2(program: Program, mode?: 'auto'): Promise<AnyClient> {
  const client = new Client2(identity, { capabilities, ...(mode && { versionNegotiation: { mode } }) });
  client.setRequestHandler('elicitation/create', () => elicited);
  client.setRequestHandler('sampling/createMessage', () => sampled);
  client.setRequestHandler('roots/list', () => roots);
  onTestFinished(() => client.close());
  await client.connect(new Stdio2({ ...program, stderr: 'ignore' }));
  return client as unknown as AnyClient;
}

const calls: [string, Record<string, unknown>][] = [
  ['echo', { message: 'hé' }],
  ['get-sum', { a: 1, b: 2 }],
  ['get-sum', { a: 'x' }],
  ['get-tiny-image', {}],
  ['get-structured-content', { location: 'New York' }],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-resource-links', { count: 2 }],
  ['trigger-elicitation-request', {}],
  ['trigger-sampling-request', { prompt: 'hi', maxTokens: 10 }],
  ['get-roots-list', {}],
];

/** Everything the client gets; the names without a prefix, and without what only the era adds. */
async function collect(client: AnyClient, prefix: string): Promise<unknown> {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const results: unknown[] = [];
  for (const [name, args] of calls) results.push(await client.callTool({ name: prefix + name, arguments: args }));
  const uri = 'demo://resource/static/document/architecture.md';
  const all = {
    tools: sortByName(tools),
    prompts: sortByName(prompts),
    resources: await client.listResources(),
    results,
    read: await client.readResource({ uri }),
    prompt: await client.getPrompt({ name: `${prefix}args-prompt`, arguments: { city: 'Rome' } }),
  };
  const ofEra = ['_meta', 'ttlMs', 'cacheScope', 'resultType', 'execution'];
  const text = JSON.stringify(all, (key, value: unknown) => (ofEra.includes(key) ? undefined : value));
  return JSON.parse(prefix === '' ? text : text.replaceAll(`"${prefix}`, '"').replaceAll(`tool ${prefix}`, 'tool '));
}

function sortByName<T extends { name: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

describe.each([
  ['1', connect1],
  ['2 by handshake', connect2],
  ['2 by probing', (program: Program) => connect2(program, 'auto')],
] as const)('the official client %s', (_, connect) => {
  it('gets the same from the reference server through ccmcp gateway as from the server itself', async () => {
    const file = join(emptyFolder(), 'servers.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { every: everything } }));
    const direct = await collect(await connect(everything), '');
    const through = await collect(await connect({ command: launcher, args: ['gateway', file] }), 'every_');
    expect(through).toEqual(direct);
  });
});
