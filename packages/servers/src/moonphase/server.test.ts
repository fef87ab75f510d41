import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callTool, handshakeVersions, statelessVersion, toolNames } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';
import { moonphaseHttp, moonphaseServer } from './server.ts';

const eclipse = '2024-04-08T18:21Z';

describe('the moonphase server', () => {
  it('has a name and a version', () => {
    expect(moonphaseServer().info).toEqual({ name: 'moonphase', version: '0.1.0', title: 'Moon phase' });
  });

  it('offers one tool, which is read-only and has an output schema', async () => {
    const { tools } = await (await connect()).request('tools/list');
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({
      name: 'moonphase',
      inputSchema: {
        type: 'object',
        properties: { datetime: { type: 'string' }, picture: { type: 'boolean', default: true } },
      },
      outputSchema: {
        type: 'object',
        properties: {
          datetime: { type: 'string', format: 'date-time' },
          age_days: { type: 'number', minimum: 0 },
          illumination_percent: { type: 'integer', minimum: 0, maximum: 100 },
          phase: { type: 'string', enum: expect.arrayContaining(['new moon', 'waning crescent']) },
        },
        required: ['datetime', 'age_days', 'illumination_percent', 'phase'],
      },
      annotations: { readOnlyHint: true },
    });
    expect(tools[0].inputSchema.required).toBeUndefined();
  });
});

describe('moonphase', () => {
  it.each([...handshakeVersions, statelessVersion])('serves clients of %s', async (version) => {
    const client = await connect({ version });
    const text = 'Time: 2019-01-21T05:16:00.000Z\nAge: 15.16 days\nIllumination: 100 %\nPhase: full moon';
    expect(await callTool(client, 'moonphase', { datetime: '2019-01-21T05:16' })).toBe(text);
  });

  it('returns the same as structured content', async () => {
    const client = await connect();
    const { structuredContent, isError } = await client.request('tools/call', {
      name: 'moonphase',
      arguments: { datetime: '2017-08-29 10:13+02:00' },
    });
    expect(isError).toBe(false);
    expect(structuredContent).toEqual({
      datetime: '2017-08-29T08:13:00.000Z',
      age_days: 7.57,
      illumination_percent: 50,
      phase: 'first quarter',
    });
  });

  it.each([[{}], [{ datetime: '' }], [{ datetime: ' \n' }], [undefined]])(
    'returns the current moon for %j',
    async (args) => {
      const client = await connect();
      const before = Date.now();
      const { structuredContent } = await client.request('tools/call', {
        name: 'moonphase',
        ...(args && { arguments: args }),
      });
      const received = Date.parse(structuredContent.datetime);
      expect(received).toBeGreaterThanOrEqual(before);
      expect(received).toBeLessThanOrEqual(Date.now());
    },
  );

  it('always returns the age with two decimals', async () => {
    const client = await connect();
    const age = async (datetime: string) =>
      /Age: (\S+) days/.exec(await callTool(client, 'moonphase', { datetime }))?.[1];
    expect(await age('2024-04-08T18:22')).toBe('0.00');
    expect(await age('2024-04-09T18:22')).toBe('1.00');
    expect(await age('2024-04-08T18:19')).toMatch(/^29\.\d\d$/);
  });

  it.each(['2024-02-30', '2024-04-08T25:00', 'yesterday'])(
    'tells the model what is wrong with %s',
    async (datetime) => {
      const answer = await callTool(await connect(), 'moonphase', { datetime });
      expect(answer).toContain(`failed: The datetime "${datetime}" can't be read: `);
      expect(answer).toContain('YYYY-MM-DD');
    },
  );

  it('requires a string for a datetime (S-T-10)', async () => {
    const client = await connect();
    expect(await callTool(client, 'moonphase', { datetime: 1712600460 })).toMatch(/^failed: .*datetime.*string/);
    expect(await callTool(client, 'moonphase', { picture: 'no' })).toMatch(/^failed: .*picture.*boolean/);
  });

  it('returns only what its output schema allows, in the years 0 to 9999', async () => {
    const client = await connect({ picture: false });
    for (const datetime of ['0000-01-01', '0001-01-01', '1582-10-10', '9999-12-31T23:59:59.999']) {
      const { isError, structuredContent } = await client.request('tools/call', {
        name: 'moonphase',
        arguments: { datetime },
      });
      expect(isError).toBe(false);
      expect(structuredContent.age_days).toBeLessThan(30);
    }
  });
});

describe('the picture of moonphase', () => {
  async function content(
    pictureOption: boolean | undefined,
    picture: boolean | undefined,
  ): Promise<{ type: string }[]> {
    const client = await connect(pictureOption === undefined ? {} : { picture: pictureOption });
    const args = { datetime: eclipse, ...(picture !== undefined && { picture }) };
    return (await client.request('tools/call', { name: 'moonphase', arguments: args })).content;
  }

  it('follows the text, as a PNG', async () => {
    const blocks = await content(undefined, undefined);
    expect(blocks).toEqual([
      { type: 'text', text: expect.stringContaining('Phase: new moon') },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo[\w+/]+=*$/) },
    ]);
  });

  it.each([
    [undefined, undefined, 2],
    [undefined, true, 2],
    [undefined, false, 1],
    [true, false, 1],
    [false, undefined, 1],
    [false, true, 2],
  ])('if the server says %s and the caller %s: %i blocks', async (option, argument, blocks) => {
    expect(await content(option, argument)).toHaveLength(blocks);
  });
});

describe('crush.json', () => {
  const { mcp } = JSON.parse(readFileSync(new URL('../../../../crush.json', import.meta.url), 'utf8'));

  it('configures the servers on stdio', () => {
    expect(mcp.ccmcp).toEqual({ type: 'stdio', command: './ccmcp' });
    expect(mcp['moonphase-stdio']).toEqual({ type: 'stdio', command: './ccmcp', args: ['moonphase'] });
  });

  it('configures moonphase over HTTP with its actual URL', () => {
    const { port, keyHeader, keyVariable } = moonphaseHttp;
    expect(mcp.moonphase).toEqual({
      type: 'http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { [keyHeader]: `$${keyVariable}` },
    });
  });
});

describe('the shutdown tool', () => {
  it('is not offered unless it is allowed', async () => {
    expect(await toolNames(await connect())).toEqual(['moonphase']);
    expect(await toolNames(await connect({ allowShutdown: () => {} }))).toEqual(['moonphase', 'shutdown']);
    await expect(callTool(await connect(), 'shutdown')).rejects.toThrow('Unknown tool: shutdown');
  });
});
