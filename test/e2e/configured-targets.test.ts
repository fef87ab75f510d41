import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, tool } from '@ccmcp/core';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';

/**
 * A home folder with servers configured for Cursor, and a working directory; returns a function that runs commands
 * there.
 */
function somewhere(mcpServers: object) {
  const home = emptyFolder();
  const cwd = emptyFolder();
  mkdirSync(join(home, '.cursor'));
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '', APPDATA: '' };
  return { home, cwd, ccmcp: (...args: string[]) => run(args, { cwd, env }) };
}

const greeting = { command: process.execPath, args: [launcher, 'greeting'] };

/** Serves a tool until the test ends; returns the URL. */
async function serveFar(auth?: ReturnType<typeof apiKey>): Promise<string> {
  const server = createServer({ name: 'far', version: '1', tools: [tool('near', {}, () => 'here')] });
  const service = await serveHttp(server, { port: 0, ...(auth && { auth }) });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return service.url;
}

describe('a server that is configured in a client', () => {
  it('can be called by name, and stderr shows the command and its source', async () => {
    const { home, ccmcp } = somewhere({ hi: greeting });
    expect(await ccmcp('call', 'cursor:hi', 'HelloTool', 'value=Ann')).toEqual({
      code: 0,
      stdout: 'Hello-bonjour Ann!\n',
      stderr: `cursor:hi, by ${join(home, '.cursor', 'mcp.json')}: ${process.execPath} ${launcher} greeting\n`,
    });
  });

  it('prints nothing else to stderr with --json', async () => {
    const { ccmcp } = somewhere({ hi: greeting });
    const { code, stdout, stderr } = await ccmcp('list', 'cursor:hi', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ server: { name: 'GreetingServer' } });
  });

  it('gets its environment, overridden by --env, and starts outside the working directory', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'show.mjs');
    writeFileSync(
      file,
      `export default async () => {
        const { createServer, tool } = await import(process.env.CORE);
        const show = tool('show', {}, () => [process.env.A, process.env.B, process.cwd()].join(' '));
        return createServer({ name: 'show', version: '1', tools: [show] });
      };`,
    );
    const core = new URL('../../packages/core/dist/index.js', import.meta.url).href;
    const env = { CORE: core, A: '${env:GIVEN}', B: 'b1' };
    const { home, ccmcp } = somewhere({ show: { command: process.execPath, args: [launcher, 'serve', file], env } });
    const called = await ccmcp('call', 'cursor:show', 'show', '--env', 'B=b2', '--env', 'GIVEN=a1');
    expect(called).toMatchObject({ code: 0, stdout: `a1 b2 ${home}\n` });
    const rejected = await ccmcp('call', 'cursor:show', 'show');
    expect(rejected.code).toBe(2);
    expect(rejected.stderr).toContain(
      'the variable GIVEN is not set here\nSet GIVEN, or give it with --env GIVEN=VALUE.',
    );
  });

  it('is connected to with its headers, which are not shown', async () => {
    const url = await serveFar(apiKey({ header: 'X-Api-Key', keys: ['hush-hush'] }));
    const { ccmcp } = somewhere({ far: { url, headers: { 'X-Api-Key': 'hush-hush' } } });
    const called = await ccmcp('call', 'cursor:far', 'near');
    expect(called).toMatchObject({ code: 0, stdout: 'here\n' });
    expect(called.stderr).toContain(url);
    expect(called.stderr).not.toContain('hush-hush');
    expect((await ccmcp('call', 'cursor:far', 'near', '--header', 'X-Api-Key: wrong')).code).toBe(4);
    expect((await ccmcp('probe', 'cursor:far')).code).toBe(0);
  });

  it('does not show secrets in its arguments', async () => {
    const { ccmcp } = somewhere({ x: { command: process.execPath, args: ['none.js', '--api-key', 'hush-hush'] } });
    const { code, stderr } = await ccmcp('ping', 'cursor:x');
    expect(code).toBe(3);
    expect(stderr).toContain(`none.js --api-key '***'\n`);
    expect(stderr).not.toContain('hush-hush');
  });

  it.each([
    [['cursor:hii'], 'there is no server "hii" in Cursor. Did you mean "hi"?\nIt has hi, gone.\n', 2],
    [['hi'], 'unknown server "hi". Did you mean "cursor:hi"?', 2],
    [['zed:hi'], 'there is no server "hi" in Zed\n', 2],
    [['cursor:gone'], '"cursor:gone" can\'t be used: /no/such/program does not exist', 3],
  ])('is reported as missing: %j', async (words, message, code) => {
    const { ccmcp } = somewhere({ hi: greeting, gone: { command: '/no/such/program' } });
    const failed = await ccmcp('list', ...words);
    expect(failed.code).toBe(code);
    expect(failed.stderr).toContain(message);
  });
});

describe('a server in mcp.json of the folder', () => {
  it('is found by its name, and by the name of the file', async () => {
    const { cwd, ccmcp } = somewhere({});
    writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: { hi: { url: await serveFar() } } }));
    for (const word of ['hi', 'mcp.json:hi', './mcp.json:hi']) {
      const { code, stdout, stderr } = await ccmcp('list', word);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('far 1') });
      expect(stderr).toContain(`${word}, by ${join(cwd, 'mcp.json')}: `);
    }
    expect((await ccmcp('list', 'mcp.json')).stderr).toContain(
      'Which server of mcp.json? Write mcp.json:NAME\nIt has hi.',
    );
  });

  it('does not shadow a ready-made one', async () => {
    const { cwd, ccmcp } = somewhere({});
    writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: { greeting: { command: '/no/such/program' } } }));
    expect((await ccmcp('ping', 'greeting')).code).toBe(0);
    expect((await ccmcp('ping', 'mcp.json:greeting')).code).toBe(3);
  });
});

describe('flags of ready-made servers', () => {
  it('work for a target', async () => {
    const { cwd, ccmcp } = somewhere({});
    await ccmcp('call', 'notes', '--db', 'x.db', 'create_note', 'title=Tides', 'content=high');
    expect((await ccmcp('call', 'notes', 'list_notes', '--db=x.db')).stdout).toContain('note_3: Tides');
    writeFileSync(join(cwd, 'a.txt'), 'x');
    mkdirSync(join(cwd, 'b'));
    const { stdout } = await ccmcp('call', 'ccmcp', 'list_directory', '--root', 'b', 'path=.');
    expect(stdout).not.toContain('a.txt');
  });
});
