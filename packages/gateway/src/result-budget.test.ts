import { createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { resultBudget } from '@ccmcp/core/result-budget';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, versions } from './fixtures/clients.ts';

afterEach(closeAll);

const items = Array.from({ length: 500 }, (_, id) => ({ id, name: `Row ${id}` }));
const output = { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] } as const;

describe.each(versions)('a result budget of a gateway, for clients of %s', (version) => {
  it('cuts results of upstreams, and reads the rest', async () => {
    const upstream = createServer({ name: 'up', version: '1', tools: [tool('big', { output }, () => ({ items }))] });
    const whole = compose({ up: part(upstream) }, { name: 'whole', version: '1' });
    const client = await clientOf(whole.use(resultBudget({ tokens: 500 })), version);
    const result = await client.callTool('big');
    const note = result.content.find((block) => block.type === 'text' && block.text.startsWith('Showing'));
    expect(note).toMatchObject({ text: expect.stringMatching(/^Showing rows 1–\d+ of 500 of "items"; read the rest/) });
    const cursor = /cursor "([^"]+)"/.exec((note as { text: string }).text)?.[1] ?? '';
    expect(await client.callTool('read_more', { cursor })).toMatchObject({ isError: false });
    const uri = `result:///whole/${cursor}`;
    expect((await client.readResource(uri)).contents[0]).toMatchObject({ uri });
  });
});
