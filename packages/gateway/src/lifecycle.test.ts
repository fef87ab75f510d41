import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, createServer, resource, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { type Client, memoryTransport, type Transport } from '@ccmcp/core/client';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned } from './fixtures/clients.ts';
import type { ProgramOptions } from './fixtures/program.ts';
import type { Remote } from './remote.ts';
import type { RemoteOptions } from './remote-options.ts';

const program = programOf(new URL('./fixtures/program.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ccmcp-gateway-'));
let files = 0;
const file = (): string => join(folder, String((files += 1)));

afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const whole = { name: 'gateway', version: '1' };
const own = createServer({
  name: 'own',
  version: '1',
  tools: [tool('own', {}, () => 'own')],
  resources: [resource('own://r', {}, () => 'r')],
});
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
const polling = { timeout: 20_000, interval: 5 };

function upstream(options: ProgramOptions = {}, more: Partial<RemoteOptions> = {}): Remote {
  const target = { command: process.execPath, args: [program, JSON.stringify(options)], graceMs: 100 };
  return part(target, { backoff: { firstMs: 10, maxMs: 50 }, ...more });
}

async function stale(client: Client): Promise<unknown> {
  const { _meta } = await client.request('tools/list');
  return _meta?.['io.github.ccmcp/stale'];
}

const kill = async (client: Client): Promise<string> => {
  const pid = textOf(await client.callTool('pid'));
  process.kill(Number(pid), 'SIGKILL');
  return pid;
};

const eras = ['2025-11-25', '2026-07-28'];

it.each(eras)('a call waits for the upstream that has its prefix, longer than a list does, on %s', async (behind) => {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const connect = (): Transport => {
    const transport = memoryTransport(own);
    const start: Transport['start'] = (receiver) => opened.then(() => transport.start(receiver));
    return Object.assign(Object.create(transport) as Transport, { start });
  };
  const options = { prefix: 'up_', uriPrefix: 'up+', client: pinned(behind), listWaitMs: 10 };
  const client = await clientOf(compose({ up: part({ connect }, options) }, whole), '2025-11-25');
  const called = client.callTool('up_own');
  const read = client.readResource('up+own://r');
  expect(await client.listTools().all()).toEqual([]);
  await expect(client.callTool('other')).rejects.toThrow('Unknown tool: other (the lists of "up" are not known yet)');
  open();
  expect(textOf(await called)).toBe('own');
  expect(await read).toMatchObject({ contents: [{ uri: 'up+own://r', text: 'r' }] });
});

describe.each(eras)('an upstream on %s', (behind) => {
  const spoken = { client: pinned(behind) };

  it('is started on first use', async () => {
    const up = upstream({}, spoken);
    const client = await clientOf(compose({ up, own }, whole), '2025-11-25');
    expect(up.status).toMatchObject({ state: 'idle', connections: 0, protocolVersion: undefined });
    expect(textOf(await client.callTool('own'))).toBe('own');
    expect(up.status.state).toBe('idle');
    expect((await client.listTools().all()).map(({ name }) => name)).toContain('pid');
    expect(up.status).toMatchObject({ state: 'up', connections: 1, protocolVersion: behind, stale: false });
  });

  it('is started by the call of a client that listed its tools earlier', async () => {
    const client = await clientOf(compose({ up: upstream({}, spoken), own }, whole), '2026-07-28');
    expect(textOf(await client.callTool('echo', { id: '1' }))).toBe('echo 1');
  });

  it('is stopped when idle, keeps its list, and is restarted', async () => {
    const up = upstream({}, { ...spoken, idleMs: 20 });
    const client = await clientOf(compose({ up, own }, whole), '2025-11-25');
    const first = textOf(await client.callTool('pid'));
    await vi.waitFor(() => expect(up.status.state).toBe('idle'), polling);
    expect((await client.listTools().all()).map(({ name }) => name)).toContain('pid');
    expect(await stale(client)).toBeUndefined();
    expect(up.status.state).toBe('idle');
    expect(textOf(await client.callTool('pid'))).not.toBe(first);
  });

  it('keeps its list while it is down, marked as stale, and notifies when it is back', async () => {
    const brokenBy = file();
    const up = upstream({ brokenBy }, spoken);
    const client = await clientOf(compose({ up, own }, whole), '2025-11-25');
    const tools = await client.listTools().all();
    const back = new Promise<void>((resolve, reject) => {
      client.listen({ tools: true }, { onChange: () => resolve() }).catch(reject);
    });
    writeFileSync(brokenBy, '');
    await kill(client);
    await vi.waitFor(() => expect(up.status).toMatchObject({ state: 'down', stale: true }), polling);
    expect(await client.listTools().all()).toEqual(tools);
    expect(await stale(client)).toEqual(['up']);
    expect(textOf(await client.callTool('own'))).toBe('own');
    await expect(client.callTool('write', { id: '1' })).rejects.toThrow(/^The upstream "up" is not available: /);

    rmSync(brokenBy);
    await back;
    expect(await stale(client)).toBeUndefined();
    expect(await client.listTools().all()).toEqual(tools);
    expect(up.status).toMatchObject({ state: 'up', stale: false, lastError: undefined });
  });

  it('that exits during a call is restarted: the call is retried if that is safe, otherwise it fails with an explanation', async () => {
    const up = upstream({ died: file() }, spoken);
    const client = await clientOf(compose({ up, own }, whole), '2025-11-25');
    await client.listTools().all();
    expect(textOf(await client.callTool('die-once'))).toBe('alive');
    await expect(client.callTool('die')).rejects.toThrow(
      /^The upstream "up" was lost during "tools\/call die". Whether the tool took effect is not known/,
    );
    await vi.waitFor(async () => expect(textOf(await client.callTool('pid'))).toMatch(/^\d+$/), polling);
  });

  it('that exits during a question fails the call with an explanation', async () => {
    for (const front of eras) {
      const up = upstream({}, spoken);
      const elicit = (): { action: 'accept'; content: object } => ({ action: 'accept', content: { answer: 'yes' } });
      const client = await clientOf(compose({ up, own }, whole), front, { elicit } as never);
      await expect(client.callTool('ask-and-die')).rejects.toThrow('The upstream "up" was lost during');
      await expect(client.callTool('own')).resolves.toBeDefined();
    }
  });
});

describe('an upstream that can not be started', () => {
  it('is restarted with backoff, and its calls fail at once until then', async () => {
    const up = part({ command: join(folder, 'missing') }, { backoff: { firstMs: 60_000 } });
    const client = await clientOf(compose({ up, own }, whole), '2025-11-25');
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['own']);
    await vi.waitFor(() => expect(up.status.state).toBe('down'), polling);
    expect(await stale(client)).toEqual(['up']);
    const direct = await clientOf(up, '2025-11-25');
    await expect(direct.callTool('pid')).rejects.toThrow('Unknown tool');
    await expect(direct.readResource('memo://one')).rejects.toThrow(
      /^The upstream "up" is not available: .*missing.*The next attempt is in \d/,
    );
  });

  it('delays only the first list, and no call of another upstream', async () => {
    const up = upstream({ silent: true }, { listWaitMs: 20 });
    const client = await clientOf(compose({ up, own }, whole), '2025-11-25');
    expect(textOf(await client.callTool('own'))).toBe('own');
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['own']);
    expect(await stale(client)).toEqual(['up']);
    expect(up.status.state).toBe('starting');
  });
});
