import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newlineFraming } from '../../../jsonrpc/framing/newline.ts';
import type { Responses } from '../../../server/call/encode-responses.ts';
import { slowStream } from '../fixtures/slow-stream.ts';
import { createReadBuffer, type ReadBuffer } from './read-buffer.ts';
import { createWriteBuffer } from './write-buffer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface OpenOptions {
  onServe?: (readBuffer: ReadBuffer) => void;
  loading?: () => boolean;
  /** True for an answer that is delayed until it is released. */
  keeps?: (reply: Responses) => boolean;
}

/** A read buffer of lines. A line `later` is a call that ends when `settle` is called. */
function open({ onServe = () => {}, loading = () => false, keeps = () => false }: OpenOptions = {}) {
  const input = new PassThrough();
  const framing = newlineFraming(20);
  const { stream, read } = slowStream();
  const writeBuffer = createWriteBuffer({
    stream,
    write: (text, done) => stream.write(text, done),
    onWritten: () => {},
  });
  const served: string[] = [];
  const answers: Responses[] = [];
  const events: string[] = [];
  const waiting: (() => void)[] = [];
  const delayed: (() => void)[] = [];
  const readBuffer = createReadBuffer({
    input,
    framing,
    writeBuffer,
    loading,
    gap: {
      isActive: true,
      delay(reply, later) {
        if (keeps(reply)) delayed.push(() => later(reply));
        return keeps(reply);
      },
    },
    serve(text) {
      onServe(readBuffer);
      served.push(text);
      const reply = { jsonrpc: '2.0', id: text, result: {} } as const;
      return text === 'later' ? new Promise((resolve) => waiting.push(() => resolve(reply))) : reply;
    },
    answer: (reply) => void answers.push(reply),
    onSettled: () => events.push(`settled, ${readBuffer.running} running, ${answers.length} answered`),
    onLimitRaised: () => events.push('more room'),
  });
  // Streams only flow with a listener.
  input.on('data', () => {});
  return {
    readBuffer,
    input,
    served,
    answers,
    events,
    push: (...lines: string[]) => framing.push(Buffer.from(lines.map((line) => `${line}\n`).join(''))),
    pushCalls: (count: number) => framing.push(Buffer.from('later\n'.repeat(count))),
    fillWriteBuffer() {
      writeBuffer.add('x'.repeat(1024 * 1024 + 1));
      writeBuffer.flush();
    },
    read,
    release: () => delayed.shift()?.(),
    async settle(count: number) {
      for (const done of waiting.splice(0, count)) done();
      await microtasks();
    },
  };
}

describe('the read buffer', () => {
  it('processes everything that arrived, in order, and passes on every answer', () => {
    const { readBuffer, push, served, answers, input } = open();
    push('a', 'b');
    expect(readBuffer.process()).toBe(true);
    expect(served).toEqual(['a', 'b']);
    expect(answers).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    expect([readBuffer.running, readBuffer.isPaused, input.isPaused()]).toEqual([0, false, false]);
    expect(readBuffer.process()).toBe(true);
    expect(served).toHaveLength(2);
  });

  it('answers unparsable input in order', () => {
    const { readBuffer, push, answers } = open();
    push('a', 'x'.repeat(21), 'b');
    readBuffer.process();
    expect(answers).toMatchObject([{ id: 'a' }, { id: null, error: { code: -32600 } }, { id: 'b' }]);
  });

  it('reports that it is processing only while it is', () => {
    const seen: boolean[] = [];
    const { readBuffer, push } = open({ onServe: ({ isProcessing: taking }) => seen.push(taking) });
    expect(readBuffer.isProcessing).toBe(false);
    push('a');
    readBuffer.process();
    expect(seen).toEqual([true]);
    expect(readBuffer.isProcessing).toBe(false);
  });

  it('counts calls until they are answered', async () => {
    const { readBuffer, push, settle, answers, events } = open();
    push('later', 'a', 'later');
    expect(readBuffer.process()).toBe(true);
    expect(readBuffer.running).toBe(2);
    expect(answers).toMatchObject([{ id: 'a' }]);
    await settle(1);
    expect(events).toEqual(['settled, 1 running, 2 answered']);
    await settle(1);
    expect(events.at(-1)).toBe('settled, 0 running, 3 answered');
  });

  it('processes nothing and pauses the input under backpressure', async () => {
    const { readBuffer, push, served, input, fillWriteBuffer, read } = open();
    push('a');
    fillWriteBuffer();
    expect(readBuffer.process()).toBe(false);
    expect([served, readBuffer.isPaused, input.isPaused()]).toEqual([[], true, true]);
    expect(vi.getTimerCount()).toBe(0);
    await read();
    expect(readBuffer.process()).toBe(true);
    expect([served, readBuffer.isPaused, input.isPaused()]).toEqual([['a'], false, false]);
  });

  it('does not resume an input that it has not paused', () => {
    const { readBuffer, push, input } = open();
    input.pause();
    push('a');
    readBuffer.process();
    expect(input.isPaused()).toBe(true);
  });

  it('does not raise the concurrency while the validator loads', () => {
    let loading = true;
    const { readBuffer, pushCalls, input } = open({ loading: () => loading });
    pushCalls(40);
    for (let each = 0; each < 5; each++) {
      expect(readBuffer.process()).toBe(false);
      vi.advanceTimersByTime(10);
    }
    expect([readBuffer.running, input.isPaused()]).toEqual([16, true]);
    loading = false;
    readBuffer.process();
    vi.advanceTimersByTime(10);
    readBuffer.process();
    expect(readBuffer.running).toBe(32);
  });

  it('runs 16 calls at first, and 16 more after each 10 ms', () => {
    const { readBuffer, pushCalls, events, input } = open();
    pushCalls(16);
    expect(readBuffer.process()).toBe(false);
    pushCalls(24);
    expect(readBuffer.process()).toBe(false);
    expect([readBuffer.running, input.isPaused(), vi.getTimerCount()]).toEqual([16, true, 1]);
    vi.advanceTimersByTime(9);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(events).toEqual(['more room']);
    expect(readBuffer.process()).toBe(false);
    expect([readBuffer.running, vi.getTimerCount()]).toEqual([32, 1]);
    vi.advanceTimersByTime(10);
    expect(readBuffer.process()).toBe(true);
    expect([readBuffer.running, input.isPaused()]).toEqual([40, false]);
  });

  it('does not raise the concurrency when a call was answered meanwhile', async () => {
    const { readBuffer, pushCalls, settle } = open();
    pushCalls(40);
    readBuffer.process();
    await settle(1);
    vi.advanceTimersByTime(10);
    readBuffer.process();
    expect(readBuffer.running).toBe(16);
  });

  it('restarts with 16 calls after backpressure', async () => {
    const { readBuffer, pushCalls, settle, fillWriteBuffer, read } = open();
    pushCalls(32);
    readBuffer.process();
    vi.advanceTimersByTime(10);
    readBuffer.process();
    expect(readBuffer.running).toBe(32);
    fillWriteBuffer();
    await settle(32);
    vi.advanceTimersByTime(10);
    pushCalls(32);
    readBuffer.process();
    await read();
    readBuffer.process();
    expect(readBuffer.running).toBe(16);
  });

  it('counts a call while its answer is delayed, synchronous or not', async () => {
    const keeps = (reply: Responses) => (reply as { id: string }).id !== 'b';
    const { readBuffer, push, settle, answers, events, release } = open({ keeps });
    push('a', 'b', 'later');
    expect(readBuffer.process()).toBe(true);
    await settle(1);
    expect([readBuffer.running, answers, events]).toMatchObject([2, [{ id: 'b' }], []]);
    release();
    expect([readBuffer.running, answers]).toMatchObject([1, [{ id: 'b' }, { id: 'a' }]]);
    release();
    expect([readBuffer.running, answers]).toMatchObject([0, [{ id: 'b' }, { id: 'a' }, { id: 'later' }]]);
    expect(events.at(-1)).toBe('settled, 0 running, 3 answered');
  });

  it('processes nothing more once it is stopped, and pauses the input', () => {
    const { readBuffer, pushCalls, served, input } = open();
    pushCalls(40);
    readBuffer.process();
    readBuffer.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(readBuffer.process()).toBe(true);
    expect([served.length, input.isPaused()]).toEqual([16, true]);
  });

  it('can be stopped by a handler', () => {
    const { readBuffer, push, served, input } = open({ onServe: (readBuffer) => readBuffer.stop() });
    push('a', 'b');
    expect(readBuffer.process()).toBe(true);
    expect([served, input.isPaused()]).toEqual([['a'], true]);
  });
});
