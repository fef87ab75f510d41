import { type CallToolResult, compose, createServer, tool } from '@ccmcp/core';
import { afterEach, expect, it, vi } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned } from './fixtures/clients.ts';

afterEach(closeAll);

const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;

it('a result of 100 MB becomes an error, and the next call is answered', async () => {
  const program = programOf(new URL('./fixtures/hostile.ts', import.meta.url));
  const target = { command: process.execPath, args: [program, 'sends-100-mb'], graceMs: 100 };
  const up = part(target, { client: pinned('2025-11-25'), backoff: { firstMs: 60_000 } });
  const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });
  const client = await clientOf(compose({ up, own }, { name: 'gateway', version: '1' }), '2025-11-25');
  await client.listTools().all();
  await expect(client.callTool('echo', { text: 'big' })).rejects.toThrow(/^The answer is longer than \d+ bytes/);
  await vi.waitFor(async () => expect(textOf(await client.callTool('echo', { text: 'a' }))).toBe('a'));
});
