import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { loadedValidator } from '../schema/validator.ts';
import { createServer } from '../create-server.ts';
import { type Tool, tool } from './define/define.ts';
import { connectDirect } from './fixtures/direct-client.ts';
import { engineOf } from './server-handle.ts';
import { warmUpAfterAnswer } from './warm-up.ts';

// The validator is loaded once in a process, so the order of these tests matters: the last one loads it.

const input = { type: 'object', properties: { name: { type: 'string' } } } as const;
const plain = tool('plain', { input }, () => 'done');

async function answered(tools: Tool[]): Promise<() => void> {
  const server = createServer({ name: 'n', version: '1', tools });
  const callOff = warmUpAfterAnswer(engineOf(server));
  expect(vi.getTimerCount()).toBe(0);
  await connectDirect(server).request('tools/list', {});
  return callOff;
}

describe('after its first answer, a server', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('does nothing if no tool has a JSON Schema', async () => {
    await answered([tool('none', {}, () => 'done'), tool('own', { input: z.object({}) }, () => 'done')]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does nothing where no transport that lasts wants it, or none does any more', async () => {
    const server = createServer({ name: 'n', version: '1', tools: [plain] });
    await connectDirect(server).request('tools/list', {});
    const callOff = warmUpAfterAnswer(engineOf(server));
    callOff();
    await connectDirect(server).request('tools/list', {});
    expect(vi.getTimerCount()).toBe(0);
    const callOffLate = await answered([plain]);
    expect(vi.getTimerCount()).toBe(1);
    callOffLate();
    expect(vi.getTimerCount()).toBe(0);
    expect(loadedValidator).toBeUndefined();
  });

  it('loads no validator where the fast path decides about every schema', async () => {
    await answered([plain, tool('more', { input, output: { type: 'object' } }, () => ({}))]);
    await vi.runAllTimersAsync();
    expect(vi.getTimerCount()).toBe(0);
    expect(loadedValidator).toBeUndefined();
  });

  it('loads the validator and compiles the schemas of its tools, once', async () => {
    vi.useRealTimers();
    let reads = 0;
    const output = {
      type: 'object',
      get properties() {
        if (loadedValidator !== undefined) reads += 1;
        return { email: { type: 'string', format: 'email' } };
      },
    } as const;
    const many = Array.from({ length: 50 }, (_, index) => tool(`t${index}`, { input }, () => 'done'));
    const server = createServer({ name: 'n', version: '1', tools: [...many, tool('last', { output }, () => ({}))] });
    warmUpAfterAnswer(engineOf(server));
    await connectDirect(server).request('tools/list', {});
    expect(loadedValidator).toBeUndefined();
    await vi.waitFor(() => expect(reads).toBeGreaterThan(0), { timeout: 10_000 });
    const compiled = reads;
    expect(engineOf(server).catalog.tools.entries.get('last')?.output?.check({})).toEqual({ ok: true, value: {} });
    expect(reads).toBe(compiled);
  });
});
