import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connect, run } from '../support/ccmcp.ts';

const manifest = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8'));

describe('./ccmcp', () => {
  it.each(['--help', '-h', 'help'])('%s prints how it is used', async (flag) => {
    const { code, stdout, stderr } = await run([flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: ccmcp COMMAND \[arguments\] \[options\]\n +ccmcp \[SERVER…\] \[options\]\n/);
    for (const option of ['--root', '--framing', '--max-message', '--log-level', '--version']) {
      expect(stdout).toContain(`\n  ${option} `);
    }
  });

  it.each([
    [['help', 'call'], /^Usage: ccmcp call TARGET TOOL/],
    [['help', 'serve'], /^Usage: ccmcp serve FILE/],
    [['help', 'install'], /^Usage: ccmcp install CLIENT/],
    [['call', '-h'], /^Usage: ccmcp call TARGET TOOL/],
  ])('%j prints the help of one command', async (args, usage) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(usage);
  });

  it.each(['version', '-v', '-V'])('%s prints the version', async (word) => {
    expect(await run([word])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it('--version prints the version that the server reports', async () => {
    const { code, stdout, stderr } = await run(['--version']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const { client } = await connect({ version: '2026-07-28' });
    const { _meta } = (await client.sendRequest('server/discover')).result;
    expect(_meta['io.modelcontextprotocol/serverInfo'].version).toBe(manifest.version);
  });

  it.each([
    [['--rot', '/'], '--rot'],
    [['--rot=/'], '--rot'],
    [['something'], 'something'],
    [['--root'], '--root'],
    [['--framing', 'lines'], 'lines'],
    [['--max-message', 'many'], 'many'],
    [['--log-level', 'loud'], 'loud'],
  ])('%j is an error that names the mistake on stderr, and exits with 2', async (args, which) => {
    const { code, stdout, stderr } = await run(args, { input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^ccmcp: .*\n(.*\n)?Try "ccmcp --help"\.\n$/);
    expect(stderr).toContain(which);
  });

  it.each([
    [['lst', 'ccmcp'], 'Did you mean "list"?'],
    [['help', 'cal'], 'Did you mean "call"?'],
    [['--port', '3000'], '--http 3000'],
    [['serve', './server.js', '--port', '3000'], '--http 3000'],
    [['list', 'ccmcp', '--port', '3000'], 'Give the address as the target'],
    [['call', '-H', 'a: b'], "--header 'NAME: VALUE'"],
  ])('%j gets a hint', async (args, hint) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });
});
