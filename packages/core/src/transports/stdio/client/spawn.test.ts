import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../client/connect.ts';
import { badServers } from '../fixtures/bad-server.ts';
import { reach } from '../fixtures/reach.ts';
import { spawn } from './spawn.ts';

describe('a tap', () => {
  it('sees every line in both directions, also invalid ones', async () => {
    const seen: string[] = [];
    const noisy = `console.log('hello'); ${badServers.old}`;
    const tap = (sender: string, text: string): void => void seen.push(`${sender} ${text}`);
    const client = await connect(spawn(process.execPath, ['-e', noisy], { graceMs: 200, tap }), {
      era: 'handshake',
      onWarning: () => {},
    });
    onTestFinished(() => client.close());
    expect(seen).toContain('server hello');
    expect(seen).toContainEqual(expect.stringMatching(/^client \{.*"initialize"/));
    expect(seen).toContainEqual(expect.stringMatching(/^server \{.*"protocolVersion"/));
  });
});

describe('a server that supports only the handshake', () => {
  it.each(['old', 'touchy', 'touchier'] as const)(
    'is found out, whether it answers, ends, or both: %s (C-V-07)',
    async (name) => {
      const client = await reach(name);
      expect(client.era).toBe('handshake');
      expect(await client.listTools().all()).toEqual([]);
    },
  );

  it('is detected by its silence (C-V-07)', async () => {
    const client = await reach('mute', { probeMs: 200 });
    expect(client.era).toBe('handshake');
    expect(await client.listTools().all()).toEqual([]);
  });
});

describe('a broken server', () => {
  it('is reported with its stderr if it exits at start', async () => {
    await expect(reach('broken')).rejects.toThrow(/ended with code 2\. Its stderr ends with: Error: config\.json/);
  });

  it('is reported if the program does not exist', async () => {
    await expect(connect(spawn('no-such-program-anywhere'))).rejects.toThrow(
      'The server could not be started: spawn no-such-program-anywhere ENOENT',
    );
  });

  it('rejects pending and later requests with its exit code and stderr', async () => {
    const ends: Error[] = [];
    const client = await reach('mortal', { onClose: (reason) => ends.push(reason) });
    const expected = /ended with code 7\. Its stderr ends with: out of memory/;
    await expect(client.callTool('x')).rejects.toThrow(expected);
    await expect(client.callTool('x')).rejects.toThrow(expected);
    expect(ends).toMatchObject([{ name: 'ConnectionError' }]);
  });

  it.each([
    ['ends with its input', 'leave', 10_000, 'The server "/.*" ended with code 0'],
    ['stays', 'stay', 20, 'The server "/.*" was stopped, since it closed its stdout'],
  ])('that closes its stdout is disconnected, if it %s', async (_, name, graceMs, message) => {
    const ends: Error[] = [];
    const client = await reach('voiceless', { onClose: (reason) => ends.push(reason), spawn: { graceMs } });
    await expect(client.callTool(name)).rejects.toThrow(new RegExp(message));
    await expect(client.callTool(name)).rejects.toThrow(new RegExp(message));
    expect(ends).toMatchObject([{ name: 'ConnectionError' }]);
  });
});

describe('a noisy server', () => {
  it('is served although it prints other output, which is reported with a limit (C-IO-03)', async () => {
    const warnings: string[] = [];
    const client = await reach('noisy', { onWarning: (text) => warnings.push(text) });
    for (let i = 0; i < 10; i += 1) expect(await client.listTools().all()).toEqual([]);
    expect(warnings[0]).toMatch(/^The server printed an invalid message \(Parse error: .*\): Listening!$/);
    expect(warnings).toHaveLength(10);
  });

  it('may send duplicate and unsolicited responses, which are ignored (C-B-02)', async () => {
    const warnings: string[] = [];
    const client = await reach('chatty', { onWarning: (text) => warnings.push(text) });
    await client.listTools().all();
    expect(await client.listTools().all()).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('the environment of a server', () => {
  const tellTale = `
    process.stdin.once('data', () => {
      console.error(JSON.stringify({ env: Object.keys(process.env).sort(), given: process.env.GIVEN, cwd: process.cwd() }));
      process.exit(0);
    });`;

  it('has inherited and given variables, but no secrets', async () => {
    process.env.OUR_SECRET = 'x';
    onTestFinished(() => {
      delete process.env.OUR_SECRET;
    });
    let said = '';
    const transport = spawn(process.execPath, ['-e', tellTale], {
      env: { GIVEN: 'yes' },
      cwd: '/',
      stderr: (text) => (said += text),
    });
    await expect(connect(transport, { era: 'handshake' })).rejects.toThrow('ended with code 0');
    const { env, given, cwd } = JSON.parse(said) as { env: string[]; given: string; cwd: string };
    expect(env).toEqual(expect.arrayContaining(['GIVEN', 'PATH']));
    expect(env).not.toContain('OUR_SECRET');
    expect([given, cwd]).toEqual(['yes', '/']);
  });
});
