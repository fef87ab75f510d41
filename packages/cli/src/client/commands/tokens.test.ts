import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type Server, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, run } from '../../../../../test/support/ccmcp.ts';

async function serve(server: Server): Promise<string> {
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0 }));
  return service.url;
}

const input = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'word '.repeat(120) },
    tags: { type: 'array', items: { type: 'string', description: 'A tag' } },
  },
} as const;

const server = createServer({
  name: 'files',
  version: '1',
  instructions: 'Read before you write.',
  tools: [
    tool('ping', { description: 'Says that it is there.' }, () => 'pong'),
    tool('read', { description: 'Reads a \u001B[31mfile.', input, annotations: { readOnlyHint: true } }, () => 'text'),
  ],
});

interface Report {
  targets: {
    target: string;
    tokens: number;
    instructions: number;
    tools: { name: string; tokens: number; parts: Record<string, number>; arguments: object }[];
  }[];
  total: { tokens: number; savings: Record<string, Record<string, number>> };
}

describe('ccmcp tokens', () => {
  it('shows the tokens of each tool and of its parts, the most expensive first', async () => {
    const url = await serve(server);
    const report = JSON.parse((await run(['tokens', url, '--json'])).stdout) as Report;
    const [{ tools, tokens, instructions }] = report.targets as [Report['targets'][number]];
    expect(tools.map(({ name }) => name)).toEqual(['read', 'ping']);
    for (const each of tools) expect(Object.values(each.parts).reduce((sum, part) => sum + part)).toBe(each.tokens);
    expect(tokens).toBe(instructions + tools.reduce((sum, each) => sum + each.tokens, 0));
    expect(tools[0]).toMatchObject({
      parts: { name: 1, arguments: 152 },
      arguments: { path: 150, 'tags[]': 2 },
      beside: { title: 0, outputSchema: 0, annotations: 6 },
    });
    expect(report.total.savings.descriptions).toEqual({ over: 100, count: 1, saved: 50 });
  });

  it('shows the same estimate as ccmcp list', async () => {
    const url = await serve(server);
    const list = JSON.parse((await run(['list', url, '--json', '--tokens'])).stdout) as { tokens: { total: number } };
    const report = JSON.parse((await run(['tokens', url, '--json'])).stdout) as Report;
    expect(report.total.tokens).toBe(list.tokens.total);
  });

  it('shows possible savings over all targets', async () => {
    const url = await serve(server);
    const { code, stdout } = await run(['tokens', url, url, '--over', '140']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/All: about \d+ tokens for 4 tools of 2 servers/);
    expect(stdout).toMatch(/toolSearch: the list costs \d+, and each search about \d+/);
    expect(stdout).toContain('2 descriptions with more than 140 tokens, cut to that');
    expect(stdout).toContain('All figures are estimates');
    expect(stdout).not.toContain('\u001B');
  });

  it('shows the other targets if one fails, and exits with its code', async () => {
    const url = await serve(server);
    const { code, stdout } = await run(['tokens', 'http://127.0.0.1:1/mcp', url, '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      targets: [{ target: 'http://127.0.0.1:1/mcp', error: { kind: 'unreachable' } }, { target: url }],
      total: { servers: 1, tools: 2 },
    });
  });

  it('accepts a server without tools', async () => {
    const url = await serve(createServer({ name: 'empty', version: '1' }));
    expect(await run(['tokens', url])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${url}: about 0 tokens for 0 tools`),
    });
  });

  it('requires a target or a recording', async () => {
    expect(await run(['tokens'])).toMatchObject({ code: 2, stderr: expect.stringContaining('a target is missing') });
  });
});

describe('a recording given to ccmcp tokens', () => {
  function writeRecording(lines: readonly unknown[]): string {
    const file = join(emptyFolder(), 'recording.ndjson');
    writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
    return file;
  }

  const head = { format: 'ccmcp-recording', version: 1, run: 'r', at: 0, inspector: '0' };
  const result = (subject: string, text: string) => ({
    type: 'message',
    from: 'server',
    kind: 'result',
    method: 'tools/call',
    subject,
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }),
  });

  it('is measured by tool', async () => {
    const file = writeRecording([
      head,
      { type: 'message', from: 'server', kind: 'result', method: 'tools/list', text: '{}' },
      result('search', 'x'.repeat(4000)),
      result('search', 'x'.repeat(2000)),
      result('get\u001B[31m', 'short'),
      '{"type":"message","from":"ser',
    ]);
    const { recordings } = JSON.parse((await run(['tokens', '--recording', file, '--json'])).stdout) as {
      recordings: object[];
    };
    expect(recordings).toMatchObject([
      { file, calls: 3, tools: [{ name: 'search', calls: 2, tokens: 1514, mean: 757, largest: 1007 }, { calls: 1 }] },
    ]);
    const { stdout, code } = await run(['tokens', '--recording', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('for the results of 3 calls');
    expect(stdout).not.toContain('\u001B');
  });

  it('shows what a budget for results would save', async () => {
    const lines = Array.from({ length: 3000 }, (_, line) => `a line with the number ${line}`).join('\n');
    const image = { content: [{ type: 'image', data: 'A'.repeat(400_000), mimeType: 'image/png' }] };
    const file = writeRecording([
      head,
      result('log', lines),
      result('search', 'short'),
      { ...result('draw', ''), text: JSON.stringify({ result: image }) },
      {
        ...result('odd', ''),
        text: JSON.stringify({ result: { content: [null, 7, { type: 'text' }, { type: 'x' }] } }),
      },
    ]);
    type Report = { recordings: { tokens: number; tools: object[]; savings: { resultBudget: { saved: number } } }[] };
    const report = async (...more: string[]) =>
      (JSON.parse((await run(['tokens', '--recording', file, '--json', ...more])).stdout) as Report).recordings[0];
    const found = await report();
    expect(found).toMatchObject({
      calls: 4,
      savings: { resultBudget: { budget: 10_000, cut: 1, saved: expect.any(Number) } },
      tools: [{ name: 'log' }, { name: 'draw', tokens: 2013, saved: 0 }, {}, {}],
    });
    const large = (found?.tokens ?? 0) - 2013;
    expect(found?.savings.resultBudget.saved).toBeGreaterThan(large - 10_100);
    expect((await report('--budget', '1000'))?.savings.resultBudget.saved).toBeGreaterThan(large - 1100);
    const { stdout } = await run(['tokens', '--recording', file]);
    expect(stdout).toMatch(
      /resultBudget of 10000 tokens would save about \d+ \(\d+ %\), unless the rest of the 1 result above it is read/,
    );
    expect(await run(['tokens', '--recording', file, '--budget', '10'])).toMatchObject({ code: 2 });
  });

  it.each([
    ['nothing', []],
    ['something else', [{ a: 1 }]],
  ])('is a usage error if it contains %s', async (_, lines) => {
    expect(await run(['tokens', '--recording', writeRecording(lines)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no recording of the inspector'),
    });
  });

  it('is a usage error if it does not exist', async () => {
    expect((await run(['tokens', '--recording', 'no-such-file'])).code).toBe(2);
  });
});
