import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launcher, run } from '../support/ccmcp.ts';
import { hasTerminals, onTerminal } from '../support/terminal.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a server with an admin address. */
async function serve(
  args: string[] = [],
): Promise<{ url: string; admin: string; errors(): string; child: ChildProcess }> {
  const child = spawn(launcher, ['greeting', '--http', '0', '--admin', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let said = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  while (!said.includes('Metrics are at')) await once(child.stdout, 'data');
  const [url = ''] = /http:\/\/\S+\/mcp/.exec(said) ?? [];
  const [, admin = ''] = /Metrics are at (\S+)\/metrics/.exec(said) ?? [];
  return { url, admin, errors: () => errors, child };
}

async function greet(url: string): Promise<void> {
  const params = { name: 'HelloTool', arguments: { value: 'canary-argument' } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method: 'tools/call', params }),
  });
  expect(response.status).toBe(200);
}

describe('ccmcp top', () => {
  let admin = '';

  beforeAll(async () => {
    const server = await serve();
    // Shared by all tests.
    started.length = 0;
    admin = server.admin;
    await greet(server.url);
    return () => void server.child.kill('SIGKILL');
  });

  it('prints a snapshot as JSON', async () => {
    const { code, stdout } = await run(['top', admin, '--json', '--interval', '0.1']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      url: `${admin}/metrics`,
      server: { name: 'GreetingServer' },
      ready: true,
      requests: { total: 1, running: 0 },
      latency: { p50: null, p99: null },
      store: null,
      tools: [{ tool: 'HelloTool', total: 1 }],
    });
  });

  it('prints plain text without a terminal', async () => {
    const { code, stdout } = await run(['top', admin, '--interval', '0.1']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^GreetingServer .* ready .*\nrequests +0\/s/)]);
  });

  it.each([
    [[], 2, /give the address of a server that runs with --admin/],
    [['a.js'], 2, /a\.js is not the address of metrics: start the server with --admin PORT/],
    [['127.0.0.1:9', '--interval', '0'], 2, /--interval must be a number of seconds from 0\.1 to 3600: 0/],
    [['127.0.0.1:9', '--no-such'], 2, /there is no option --no-such\./],
    [['127.0.0.1:9', '--header', 'x'], 2, /--header must be written 'NAME: VALUE'/],
    [['127.0.0.1:9'], 3, /can't be reached .* was it started with --admin PORT\?/],
  ])('reports %j', async (args, expected, words) => {
    const { code, stderr } = await run(['top', ...args]);
    expect([code, stderr]).toEqual([expected, expect.stringMatching(words)]);
  });

  it('prints its help', async () => {
    expect((await run(['top', '--help'])).stdout).toMatch(/^Usage: ccmcp top URL/);
    expect((await run(['--help'])).stdout).toMatch(/ccmcp top URL/);
  });

  it.runIf(hasTerminals).each(['q', '\u0003'])('takes the screen, and gives it back with %j', async (key) => {
    const { code, written } = await onTerminal(['top', admin, '--interval', '0.2'], [[/HelloTool/, key]]);
    expect(code).toBe(0);
    expect(written.startsWith('\u001B[?1049h\u001B[?25l')).toBe(true);
    expect(written.endsWith('\u001B[?25h\u001B[?1049l')).toBe(true);
    expect(written).toContain('q leaves');
  });

  it.runIf(hasTerminals)('continues when the server is unreachable, and shows the age of its values', async () => {
    const { admin, child } = await serve();
    const figures = /requests[\s\S]*q leaves/;
    figures.test = (screen) => {
      const isShown = figures.exec(screen) !== null;
      if (isShown) child.kill('SIGKILL');
      return isShown;
    };
    const shown = onTerminal(
      ['top', admin, '--interval', '0.2'],
      [
        [figures, ''],
        [/This is .* old: .*can't be reached/, 'q'],
      ],
    );
    expect((await shown).code).toBe(0);
  });
});

describe('the log of requests', () => {
  it('has a line per request, without arguments (OB-02)', async () => {
    const { url, errors, child } = await serve(['--log-requests']);
    await greet(url);
    child.kill('SIGTERM');
    await once(child, 'close');
    const [line = '', ...others] = errors().trim().split('\n');
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      logger: 'requests',
      data: { id: 'r-1', method: 'tools/call', tool: 'HelloTool', outcome: 'ok', transport: 'http' },
    });
    expect(line).not.toContain('canary');
  });
});
