import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { open, storeKinds } from './fixtures/stores.ts';
import { buildProgram } from './fixtures/writers.ts';
import type { StoreOptions } from './open.ts';

const program = await buildProgram('dying-server');
const note = { title: 'Once', content: 'only', idempotency_key: 'request-7' };

/** The response of a server to one call, and how the server exited. */
async function ask(options: StoreOptions, args: readonly string[]): Promise<{ said: string; signal: unknown }> {
  const child = spawn(process.execPath, [program, JSON.stringify(options), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const messages = [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'create_note', arguments: note } },
  ];
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const [, signal] = (await once(child, 'close')) as [unknown, unknown];
  return { said, signal };
}

describe.each(storeKinds)('a repeated call, in $name', ({ fresh }) => {
  it('creates one note if the server was killed between commit and response (FT-06)', {
    timeout: 60_000,
  }, async () => {
    const options = await fresh();
    const first = await ask(options, ['dies']);
    expect(first.signal).toBe('SIGKILL');
    expect(first.said).not.toContain('Created');
    const notes = await open(options);
    expect((await notes.after('note_2', 9)).map(({ title }) => title)).toEqual(['Once']);
    for (let time = 0; time < 2; time += 1) expect((await ask(options, [])).said).toContain('Created: note_3');
    expect(await notes.after('note_2', 9)).toHaveLength(1);
  });
});
