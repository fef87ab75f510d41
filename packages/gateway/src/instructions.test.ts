import { createServer } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };
const serverSaying = (instructions?: string) =>
  createServer({ name: 'up', version: '1', tools: [], ...(instructions !== undefined && { instructions }) });

describe.each(versions)('instructions of upstreams on %s', (behind) => {
  it.each(versions)('reach a client of %s, joined, as soon as they are known', async (front) => {
    const a = part(serverSaying('Use a.'), { name: 'a', client: pinned(behind) });
    const b = part(serverSaying('Use b.'), { name: 'b', client: pinned(behind) });
    const silent = part(serverSaying(), { name: 'silent', client: pinned(behind) });
    const gateway = compose({ a, silent, own: serverSaying('Use own.'), b }, whole);
    const early = await clientOf(gateway, front);
    expect(early.instructions).toBe('Use own.');
    await early.listTools().all();
    expect((await clientOf(gateway, front)).instructions).toBe('Use a.\n\nUse own.\n\nUse b.');
  });
});

it('are replaced by those of the options', async () => {
  const up = part(serverSaying('Theirs.'), { instructions: 'Ours.' });
  const client = await clientOf(up, '2025-11-25');
  await client.listTools().all();
  expect((await clientOf(up, '2025-11-25')).instructions).toBe('Ours.');
});

it('are absent if no upstream has any', async () => {
  const client = await clientOf(compose({ up: part(serverSaying()) }, whole), '2026-07-28');
  await client.listTools().all();
  expect(client.instructions).toBeUndefined();
});
