import { describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { memoryTransport } from '../../transports/memory.ts';
import { checkValue } from './output-check.ts';
import { connect, protocolVersions } from '../connect.ts';

const schema = {
  type: 'object',
  properties: { tags: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer', minimum: 1 } },
  required: ['limit'],
} as const;

describe('checkValue', () => {
  it('returns every problem of an invalid value', async () => {
    expect(await checkValue(schema, { limit: 1, tags: ['a'] })).toEqual({ problems: [] });
    const checked = await checkValue(schema, { limit: 0, tags: ['a', 5] });
    expect('problems' in checked && checked.problems.map(({ path }) => path).sort()).toEqual(['/limit', '/tags/1']);
  });

  it('uses the messages of a server', async () => {
    const server = createServer({ name: 'x', version: '1', tools: [tool('find', { input: schema }, () => '')] });
    const client = await connect(memoryTransport(server));
    const { content } = await client.callTool('find', { limit: 'many' });
    const checked = await checkValue(schema, { limit: 'many' });
    const [problem] = 'problems' in checked ? checked.problems : [];
    expect(JSON.stringify(content)).toContain(problem?.message);
    await client.close();
  });

  it.each([[5], [null], [{ type: 'nonsense' }], [{ $ref: '#/nowhere' }]])(
    'can not be checked by what is no schema: %j',
    async (wrong) => {
      expect(await checkValue(wrong, 1)).toEqual({ unusable: expect.any(String) });
    },
  );

  it('times out on a slow schema', async () => {
    const slow = { type: 'string', pattern: '^(a|a)*(b|b)*(a|b)*$|^(a+)+(a+)+$' };
    const checked = await checkValue(slow, `${'a'.repeat(30_000)}!`);
    expect(Object.keys(checked)).toHaveLength(1);
  });
});

describe('the protocol versions', () => {
  it('are listed newest first', () => {
    const versions = protocolVersions.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted().reverse());
    expect(protocolVersions[0]).toEqual({ version: '2026-07-28', era: 'stateless' });
  });
});
