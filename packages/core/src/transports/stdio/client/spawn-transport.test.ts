import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../../client/errors.ts';
import type { Transport } from '../../../client/transport.ts';
import type { Message } from '../../../jsonrpc/message.ts';
import { spawn, type SpawnOptions } from './spawn.ts';
import { MethodTable } from '../../../protocol/methods.ts';

/** Starts a program and keeps what its transport tells. */
async function start(code: string, options: SpawnOptions = {}) {
  const transport = spawn(process.execPath, ['-e', code], { graceMs: 1000, ...options });
  onTestFinished(() => transport.close());
  return { transport, ...(await listen(transport)) };
}

async function listen(transport: Transport) {
  const events = new EventTarget();
  const received: Message[] = [];
  const warnings: string[] = [];
  let end: (reason: Error) => void;
  const ended = new Promise<Error>((resolve) => {
    end = resolve;
  });
  await transport.start({
    methods: new MethodTable(),
    receive(message) {
      received.push(message);
      events.dispatchEvent(new Event('message'));
    },
    warn: (text) => void warnings.push(text),
    sessionLost: () => {},
    closed: (reason) => end(reason),
  });
  /** Waits until so many messages have come. */
  async function messages(count: number): Promise<Message[]> {
    while (received.length < count) await once(events, 'message');
    return received;
  }
  return { messages, warnings, ended };
}

/** Answers each line with what it is: a result that has the line in it. */
const echo = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { line } }));
  });`;

const ping: Message = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the spawn transport', () => {
  it('sends messages, and delivers received ones, also of batches', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', method: 'notifications/x' },
    ];
    const { transport, messages } = await start(`${echo} console.log('${JSON.stringify(batch)}')`);
    await messages(2);
    void transport.send(ping);
    expect(await messages(3)).toEqual([...batch, { jsonrpc: '2.0', id: 1, result: { line: JSON.stringify(ping) } }]);
  });

  it('keeps the order of messages that are sent in one tick', async () => {
    const { transport, messages } = await start(echo);
    for (const id of [1, 2, 3]) void transport.send({ ...ping, id });
    const lines = (await messages(3)).map((message) => (message as { result?: { line: string } }).result?.line ?? '');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2, 3]);
  });

  it('supports Content-Length framing', async () => {
    const { transport, messages } = await start(
      `process.stdin.once('data', (chunk) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { chunk: String(chunk) } });
        process.stdout.write('Content-Length: ' + text.length + '\\r\\n\\r\\n' + text);
      });`,
      { framing: 'content-length' },
    );
    void transport.send(ping);
    const text = JSON.stringify(ping);
    expect(await messages(1)).toMatchObject([{ result: { chunk: `Content-Length: ${text.length}\r\n\r\n${text}` } }]);
  });

  it('accepts long messages by default', async () => {
    const { messages } = await start(
      `console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(4_000_000) } }))`,
    );
    expect(await messages(1)).toMatchObject([{ result: { text: 'x'.repeat(4_000_000) } }]);
  });

  it('rejects a message above maxMessage', async () => {
    const { ended, warnings } = await start(`console.log('x'.repeat(101))`, { maxMessage: 100 });
    expect((await ended).message).toContain('ended with code 0');
    expect(warnings).toEqual([expect.stringContaining('longer than 100 bytes')]);
  });

  it('truncates invalid output in warnings', async () => {
    const { ended, warnings, transport } = await start(`console.log('x'.repeat(1000))`);
    expect((await ended).message).toContain(`It printed an invalid message: "${'x'.repeat(200)}"`);
    expect(warnings[0]).toMatch(/: x{200}$/);
    expect(transport.diagnostics?.()).toBe(`It printed an invalid message: "${'x'.repeat(200)}"`);
  });

  it('reports the first invalid line and the end of stderr as diagnostics', async () => {
    const { ended } = await start(
      `console.log('one'); console.log('two'); console.error('\\n oh \\n'); process.exit(4)`,
    );
    expect((await ended).message).toMatch(
      /ended with code 4\. It printed an invalid message: "one"\. Its stderr ends with: oh$/,
    );
  });

  it('has no diagnostics for a healthy server', async () => {
    const { transport, ended } = await start(`process.stdin.resume()`);
    expect(transport.diagnostics?.()).toBeUndefined();
    await transport.close();
    expect((await ended).message).toMatch(/ended with code 0$/);
  });

  it('names the signal that ended the server', async () => {
    const { ended } = await start(`process.kill(process.pid, 'SIGKILL')`);
    expect((await ended).message).toMatch(/ended by SIGKILL$/);
  });

  it('uses the given name in errors, or else the command', async () => {
    const { ended } = await start('process.exit(2)', { name: 'mine' });
    expect((await ended).message).toBe('The server "mine" ended with code 2');
    const { ended: unnamed } = await start('process.exit(2)');
    expect((await unnamed).message).toBe(`The server "${process.execPath}" ended with code 2`);
  });

  it('rejects send before the start and after the end', async () => {
    const transport = spawn(process.execPath, ['-e', '']);
    await expect(transport.send(ping)).rejects.toThrow(/is not running/);
    await expect(transport.close()).resolves.toBeUndefined();
    const { ended } = await listen(transport);
    expect(await ended).toBeInstanceOf(ConnectionError);
    await expect(transport.send(ping)).rejects.toBeInstanceOf(ConnectionError);
  });

  it('rejects send if the server could not be started', async () => {
    const transport = spawn('no-such-program-anywhere');
    await expect(listen(transport)).rejects.toThrow('could not be started');
    await expect(transport.send(ping)).rejects.toThrow('is not running');
  });

  it('flushes pending messages before it closes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-spawn-'));
    onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
    const file = join(folder, 'heard');
    const { transport } = await start(
      `process.stdin.on('data', (chunk) => require('node:fs').appendFileSync(process.env.FILE, chunk))`,
      { env: { FILE: file } },
    );
    void transport.send(ping);
    await transport.close();
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(ping)}\n`);
  });

  it('resets its diagnostics when it is restarted', async () => {
    const { transport, ended } = await start(`
      process.stdin.once('data', () => {
        console.log('no message of', process.pid);
        console.error('trouble of', process.pid);
        process.exit(3);
      });`);
    const pidsIn = ({ message }: Error) => message.match(/(?<=of )\d+/g) ?? [];
    void transport.send(ping);
    const [one, sameOne] = pidsIn(await ended);
    const { ended: endedAgain } = await listen(transport);
    void transport.send(ping);
    const [two, sameTwo] = pidsIn(await endedAgain);
    expect([one, two]).toEqual([sameOne, sameTwo]);
    expect(one).not.toBe(two);
  });

  it('can be restarted before the close event of the previous process', async () => {
    // A child of the server holds on to its output, which is let go only when the server is ended.
    const { transport, messages, ended } = await start(`${echo}
      const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        stdio: ['ignore', 'inherit', 'ignore'], detached: true });
      console.log(JSON.stringify({ jsonrpc: '2.0', id: 'holder', result: { pid } }));`);
    const endHolder = async (all: Promise<Message[]>): Promise<void> => {
      const [holder] = (await all) as unknown as [{ result: { pid: number } }];
      onTestFinished(() => void process.kill(holder.result.pid, 'SIGKILL'));
    };
    await endHolder(messages(1));
    await transport.close();
    const again = await listen(transport);
    await endHolder(again.messages(1));
    await ended;
    void transport.send(ping);
    expect(await again.messages(2)).toMatchObject([{ id: 'holder' }, { id: 1 }]);
  });

  it('terminates a server that does not read its input', async () => {
    const { transport, ended } = await start('setInterval(() => {}, 1000)', { graceMs: 100 });
    const text = 'x'.repeat(16 * 1024 * 1024);
    for (let index = 0; index < 5; index += 1) {
      await transport.send({ jsonrpc: '2.0', method: 'notifications/x', params: { text } });
      await new Promise(setImmediate);
    }
    expect((await ended).message).toContain('was killed, since it does not read its input');
  });
});
