import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';
import { linkedProject } from '../support/project.ts';

const module = `
  import { createServer, prompt, tool } from '@ccmcp/core';
  const input = {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to look for', pattern: "^it's [a-z]+$" },
      mode: { enum: ['fast', 'slow', 'a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      where: { type: 'object', properties: { x: { type: 'number', description: 'How far' } }, required: ['x'] },
      limit: { type: 'integer', default: 10 },
    },
    required: ['text', 'mode', 'where'],
  };
  export default createServer({
    name: 'mine',
    version: '1.0.0',
    instructions: 'Search first.\\nThen read.',
    tools: [tool('search', { input, title: 'Search', annotations: { readOnlyHint: true } }, (args) => JSON.stringify(args))],
    prompts: [prompt('review', { description: 'Reviews', arguments: { code: { required: true } } }, ({ code }) => code)],
  });`;

const expected = { text: "it's a", mode: 'fast', where: { x: 1 } };

describe('ccmcp show', () => {
  it('shows a tool whole, with a call that works when it is pasted', async () => {
    const folder = linkedProject({ 'my server.js': module });
    const { code, stdout } = await run(['show', './my server.js', 'search'], { cwd: folder });

    expect(code).toBe(0);
    expect(stdout).toContain('one of "fast", "slow", "a", "b", "c", "d", "e", "f", "g"');
    expect(stdout).toContain('    where.x (number, required)\n        How far\n');
    expect(stdout).toMatch(/only reads/);
    const [, example = ''] = /^Example\n {2}(.*)$/m.exec(stdout) ?? [];
    const pasted = await promisify(execFile)('sh', ['-c', example], { cwd: folder });
    expect(JSON.parse(pasted.stdout)).toEqual(expected);
  });

  it('shows the same by "list TARGET TOOL", and by "call TARGET TOOL --help", of a file and of a command', async () => {
    const folder = linkedProject({ 'server.js': module });
    const command = ['--', launcher, 'serve', 'server.js'];
    const [page, ...others] = await Promise.all([
      run(['show', './server.js', 'search'], { cwd: folder }),
      run(['list', './server.js', 'search'], { cwd: folder }),
      run(['call', './server.js', 'search', 'text=x', '--help'], { cwd: folder }),
      run(['shell', './server.js'], { cwd: folder, input: 'call search --help\n' }),
      run(['call', 'search', '--help', ...command], { cwd: folder }),
    ]);

    expect(page?.code).toBe(0);
    for (const other of others.slice(0, 3)) expect(other).toEqual(page);
    expect(others[3]?.stdout).toContain(`ccmcp call search `);
    expect(others[3]?.stdout).toContain(`-- ${launcher} serve server.js\n`);
  });

  it('gives JSON: the tool as the server lists it, what it costs, and the call', async () => {
    const folder = linkedProject({ 'server.js': module });
    const { stdout } = await run(['show', './server.js', 'search', '--json'], { cwd: folder });

    expect(JSON.parse(stdout)).toMatchObject({
      tool: { name: 'search', title: 'Search', inputSchema: { required: ['text', 'mode', 'where'] } },
      tokens: { total: expect.any(Number), estimate: expect.stringContaining('quarter') },
      example: expect.stringContaining('call ./server.js search'),
    });
  });

  it('shows a prompt, too', async () => {
    const folder = linkedProject({ 'server.js': module });
    const { stdout } = await run(['show', './server.js', 'review'], { cwd: folder });

    expect(stdout).toMatch(/^review\(code\)\n\nReviews\n/);
    expect(stdout).toContain('prompt ./server.js review code=text\n');
  });

  it('ends with 7 where there is no such tool, and says which may be meant', async () => {
    const { code, stderr } = await run(['show', 'ccmcp', 'ad']);

    expect(code).toBe(7);
    expect(stderr).toMatch(/no tool "ad"\. Did you mean "add"\?/);
    expect((await run(['list', 'ccmcp', 'ad'])).code).toBe(7);
    expect((await run(['show', 'ccmcp'])).code).toBe(2);
    expect((await run(['list', 'ccmcp', 'add', 'tools'])).code).toBe(2);
  });
});

describe('ccmcp list', () => {
  it('shows the instructions, and what a model is charged', async () => {
    const folder = linkedProject({ 'server.js': module });
    const { stdout } = await run(['list', './server.js'], { cwd: folder });
    const { stdout: json } = await run(['list', './server.js', '--json', '--tokens'], { cwd: folder });
    const { tools, instructions, tokens } = JSON.parse(json);
    const { name, description, inputSchema } = tools[0];
    const own = Math.ceil(Buffer.byteLength(JSON.stringify({ name, description, inputSchema })) / 4);

    expect(stdout).toContain('\n\nInstructions\n  Search first.\n  Then read.\n\nTools\n');
    expect(instructions).toBe('Search first.\nThen read.');
    expect(tokens).toMatchObject({ tools: { search: own }, instructions: 6, total: own + 6 });
    expect(stdout).toContain(
      `A model is charged about ${own + 6} tokens for 1 tool and the instructions (a quarter of`,
    );
    expect(stdout).not.toContain(`~${own} tokens`);
    expect((await run(['list', './server.js', '--tokens'], { cwd: folder })).stdout).toContain(`  ~${own} tokens\n`);
  });

  it('does not show instructions without end', async () => {
    const text = module.replace(/instructions: '.*?'/, "instructions: 'x'.repeat(5000)");
    const folder = linkedProject({ 'server.js': text });
    const { stdout } = await run(['list', './server.js', 'tools'], { cwd: folder });

    expect(stdout).toContain(`  ${'x'.repeat(4000)}\n  … and 1000 characters more, which --json shows\n`);
  });
});

/** A server of the handshake era on stdio, which answers each method as it is told to. */
function fakeServer(answers: Record<string, object>): string {
  const folder = emptyFolder();
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const all = {
    initialize: { result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'fake', version: '1' } } },
    ping: { result: {} },
    'tools/list': { result: { tools: [{ name: 'work', inputSchema: { type: 'object' } }] } },
    'prompts/list': { result: { prompts: [] } },
    ...answers,
  };
  const program = `
    const answers = ${JSON.stringify(all)};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const answer = answers[method] ?? { error: { code: -32601, message: 'Method not found' } };
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    });`;
  const file = join(folder, 'fake.cjs');
  writeFileSync(file, program);
  return file;
}

describe.each([
  ['is not known', { code: -32_601, message: 'Method not found' }],
  ['fails', { code: -32_603, message: 'Internal error' }],
])('a server whose one list %s', (_, error) => {
  const fake = (): string[] => ['--', process.execPath, fakeServer({ 'resources/list': { error } })];

  it('shows the others, and which one it is', async () => {
    const { code, stdout, stderr } = await run(['list', ...fake()]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Tools\n  work()\n');
    expect(stdout).toContain(`Resources\n  (not listed) The server answered: ${error.message} (${error.code})\n`);
    expect(JSON.parse((await run(['list', '--json', ...fake()])).stdout)).toMatchObject({
      tools: [{ name: 'work' }],
      failed: { resources: expect.stringContaining(error.message) },
    });
  });

  it('fails where nothing else was asked for', async () => {
    const { code, stdout, stderr } = await run(['list', 'resources', ...fake()]);

    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain(error.message);
  });

  it('is told by a probe what it speaks, and which list it owes', async () => {
    const { code, stdout } = await run(['probe', '--json', ...fake()]);
    const { speaks, problem, steps } = JSON.parse(stdout);

    expect(code).toBe(6);
    expect(speaks).toMatchObject({ era: 'handshake', tools: 1, resources: null, prompts: 0 });
    expect(problem).toMatchObject({ kind: 'broken-list', message: expect.stringContaining('the list of resources') });
    expect(steps.map(({ step, ok }: { step: string; ok: boolean }) => [step, ok])).toEqual([
      ['process', true],
      ['protocol', true],
      ['lists', false],
      ['other era', true],
    ]);
  });
});
