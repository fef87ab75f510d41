import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createServer, prompt, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launcher, run } from '../support/ccmcp.ts';
import { web } from '../support/probe.ts';
import { linkedProject } from '../support/project.ts';

const module = `
  import { createServer, tool } from '@ccmcp/core';
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
    tools: [tool('search', { input, title: 'Search', annotations: { readOnlyHint: true } }, (args) => JSON.stringify(args))],
  });`;

const expected = { text: "it's a", mode: 'fast', where: { x: 1 } };

/** Serves such a module until the test ends; returns the URL. */
async function serveTools({ instructions = 'Search first.\nThen read.' } = {}): Promise<string> {
  const input = {
    type: 'object',
    properties: { text: { type: 'string' }, mode: { enum: ['fast', 'slow'] } },
    required: ['text', 'mode'],
  } as const;
  const server = createServer({
    name: 'mine',
    version: '1.0.0',
    instructions,
    tools: [tool('search', { input, title: 'Search' }, (args) => JSON.stringify(args))],
    prompts: [
      prompt('review', { description: 'Reviews', arguments: { code: { required: true } } }, ({ code }) => code),
    ],
  });
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return service.url;
}

describe('ccmcp show', () => {
  it('shows a tool with a call that can be pasted', async () => {
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

  it('shows the same by "list TARGET TOOL", and by "call TARGET TOOL --help", of a URL and of a command', async () => {
    const url = await serveTools();
    const page = await run(['show', url, 'search']);

    expect(page.code).toBe(0);
    expect(await run(['list', url, 'search'])).toEqual(page);
    expect(await run(['call', url, 'search', 'text=x', '--help'])).toEqual(page);
    expect(await run(['shell', url], { input: 'call search --help\n' })).toEqual(page);
    const folder = linkedProject({ 'server.js': module });
    const { stdout } = await run(['call', 'search', '--help', '--', launcher, 'serve', 'server.js'], { cwd: folder });
    expect(stdout).toContain(`ccmcp call search `);
    expect(stdout).toContain(`-- ${launcher} serve server.js\n`);
  });

  it('prints JSON: the tool as listed, its token estimate, and the call', async () => {
    const url = await serveTools();
    const { stdout } = await run(['show', url, 'search', '--json']);

    expect(JSON.parse(stdout)).toMatchObject({
      tool: { name: 'search', title: 'Search', inputSchema: { required: ['text', 'mode'] } },
      tokens: { total: expect.any(Number), estimate: expect.stringContaining('quarter') },
      example: expect.stringContaining(`call ${url} search`),
    });
  });

  it('shows a prompt', async () => {
    const url = await serveTools();
    const { stdout } = await run(['show', url, 'review']);

    expect(stdout).toMatch(/^review\(code\)\n\nReviews\n/);
    expect(stdout).toContain(`prompt ${url} review code=text\n`);
  });

  it('exits with 7 for an unknown tool, and suggests another', async () => {
    const url = await serveTools();
    const { code, stderr } = await run(['show', url, 'serach']);

    expect(code).toBe(7);
    expect(stderr).toMatch(/no tool "serach"\. Did you mean "search"\?/);
    expect((await run(['list', url, 'serach'])).code).toBe(7);
    expect((await run(['show', url])).code).toBe(2);
    expect((await run(['list', url, 'search', 'tools'])).code).toBe(2);
  });
});

describe('ccmcp list', () => {
  it('shows the instructions and the token estimate', async () => {
    const url = await serveTools();
    const { stdout } = await run(['list', url]);
    const { stdout: json } = await run(['list', url, '--json', '--tokens']);
    const { tools, instructions, tokens } = JSON.parse(json);
    const { name, description, inputSchema } = tools[0];
    const own = Math.ceil(Buffer.byteLength(JSON.stringify({ name, description, inputSchema })) / 4);

    expect(stdout).toContain('\n\nInstructions\n  Search first.\n  Then read.\n\nTools\n');
    expect(instructions).toBe('Search first.\nThen read.');
    expect(tokens).toMatchObject({ tools: { search: own }, instructions: 6, total: own + 6 });
    expect(stdout).toContain(`Costs a model about ${own + 6} tokens for 1 tool and the instructions (a quarter of`);
    expect(stdout).not.toContain(`~${own} tokens`);
    expect((await run(['list', url, '--tokens'])).stdout).toContain(`  ~${own} tokens\n`);
  });

  it('truncates long instructions', async () => {
    const { stdout } = await run(['list', await serveTools({ instructions: 'x'.repeat(5000) }), 'tools']);

    expect(stdout).toContain(`  ${'x'.repeat(4000)}\n  … and 1000 characters more, which --json shows\n`);
  });
});

/** A handshake server that answers each method as configured; returns the URL. */
function fakeServer(answers: Record<string, object>): Promise<string> {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const all: Record<string, object> = {
    initialize: { result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'fake', version: '1' } } },
    ping: { result: {} },
    'tools/list': { result: { tools: [{ name: 'work', inputSchema: { type: 'object' } }] } },
    'prompts/list': { result: { prompts: [] } },
    ...answers,
  };
  return web((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      const answer = all[method] ?? { error: { code: -32601, message: 'Method not found' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
}

describe.each([
  ['is not known', { code: -32_601, message: 'Method not found' }],
  ['fails', { code: -32_603, message: 'Internal error' }],
])('a server whose one list %s', (_, error) => {
  const fake = (): Promise<string> => fakeServer({ 'resources/list': { error } });

  it('shows the other lists, and names the failing one', async () => {
    const url = await fake();
    const { code, stdout, stderr } = await run(['list', url]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Tools\n  work()\n');
    expect(stdout).toContain(`Resources\n  (not listed) The server answered: ${error.message} (${error.code})\n`);
    expect(JSON.parse((await run(['list', '--json', url])).stdout)).toMatchObject({
      tools: [{ name: 'work' }],
      failed: { resources: expect.stringContaining(error.message) },
    });
  });

  it('fails if only that list was requested', async () => {
    const { code, stdout, stderr } = await run(['list', await fake(), 'resources']);

    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain(error.message);
  });

  it('is probed: its versions, and the failing list', async () => {
    const { code, stdout } = await run(['probe', '--json', await fake()]);
    const { speaks, problem, steps } = JSON.parse(stdout);

    expect(code).toBe(6);
    expect(speaks).toMatchObject({ era: 'handshake', tools: 1, resources: null, prompts: 0 });
    expect(problem).toMatchObject({ kind: 'broken-list', message: expect.stringContaining('the list of resources') });
    expect(steps.map(({ step, ok }: { step: string; ok: boolean }) => [step, ok])).toEqual([
      ['name', true],
      ['port', true],
      ['endpoint', true],
      ['protocol', true],
      ['lists', false],
      ['stream', true],
      ['other era', true],
    ]);
  });
});
