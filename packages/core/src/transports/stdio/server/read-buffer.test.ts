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
  onServe?: (intake: ReadBuffer) => void;
  loading?: () => boolean;
  /** True for an answer that is delayed until it is released. */
  keeps?: (reply: Responses) => boolean;
}

/** An intake of lines. A line `later` is a call that ends when `settle` is called. */
function open({ onServe = () => {}, loading = () => false, keeps = () => false }: OpenOptions = {}) {
  const input = new PassThrough();
  const framing = newlineFraming(20);
  const { stream, read } = slowStream();
  const outbox = createWriteBuffer({ stream, write: (text, done) => stream.write(text, done), onWritten: () => {} });
  const served: string[] = [];
  const answers: Responses[] = [];
  const events: string[] = [];
  const waiting: (() => void)[] = [];
  const kept: (() => void)[] = [];
  const intake = createReadBuffer({
    input,
    framing,
    writeBuffer: outbox,
    loading,
    gap: {
      isActive: true,
      delay(reply, later) {
        if (keeps(reply)) kept.push(() => later(reply));
        return keeps(reply);
      },
    },
    serve(text) {
      onServe(intake);
      served.push(text);
      const reply = { jsonrpc: '2.0', id: text, result: {} } as const;
      return text === 'later' ? new Promise((resolve) => waiting.push(() => resolve(reply))) : reply;
    },
    answer: (reply) => void answers.push(reply),
    onSettled: () => events.push(`settled, ${intake.running} running, ${answers.length} answered`),
    onLimitRaised: () => events.push('more room'),
  });
  // Streams only flow with a listener.
  input.on('data', () => {});
  return {
    intake,
    input,
    served,
    answers,
    events,
    push: (...lines: string[]) => framing.push(Buffer.from(lines.map((line) => `${line}\n`).join(''))),
    pushCalls: (count: number) => framing.push(Buffer.from('later\n'.repeat(count))),
    crowd() {
      outbox.add('x'.repeat(1024 * 1024 + 1));
      outbox.flush();
    },
    read,
    letGo: () => kept.shift()?.(),
    async settle(count: number) {
      for (const done of waiting.splice(0, count)) done();
      await microtasks();
    },
  };
}

describe('the read buffer', () => {
  it('processes everything that arrived, in order, and passes on every answer', () => {
    const { intake, push, served, answers, input } = open();
    push('a', 'b');
    expect(intake.process()).toBe(true);
    expect(served).toEqual(['a', 'b']);
    expect(answers).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    expect([intake.running, intake.isPaused, input.isPaused()]).toEqual([0, false, false]);
    expect(intake.process()).toBe(true);
    expect(served).toHaveLength(2);
  });

  it('answers unparsable input in order', () => {
    const { intake, push, answers } = open();
    push('a', 'x'.repeat(21), 'b');
    intake.process();
    expect(answers).toMatchObject([{ id: 'a' }, { id: null, error: { code: -32600 } }, { id: 'b' }]);
  });

  it('reports that it is processing only while it is', () => {
    const seen: boolean[] = [];
    const { intake, push } = open({ onServe: ({ isProcessing: taking }) => seen.push(taking) });
    expect(intake.isProcessing).toBe(false);
    push('a');
    intake.process();
    expect(seen).toEqual([true]);
    expect(intake.isProcessing).toBe(false);
  });

  it('counts calls until they are answered', async () => {
    const { intake, push, settle, answers, events } = open();
    push('later', 'a', 'later');
    expect(intake.process()).toBe(true);
    expect(intake.running).toBe(2);
    expect(answers).toMatchObject([{ id: 'a' }]);
    await settle(1);
    expect(events).toEqual(['settled, 1 running, 2 answered']);
    await settle(1);
    expect(events.at(-1)).toBe('settled, 0 running, 3 answered');
  });

  it('processes nothing and pauses the input under backpressure', async () => {
    const { intake, push, served, input, crowd, read } = open();
    push('a');
    crowd();
    expect(intake.process()).toBe(false);
    expect([served, intake.isPaused, input.isPaused()]).toEqual([[], true, true]);
    expect(vi.getTimerCount()).toBe(0);
    await read();
    expect(intake.process()).toBe(true);
    expect([served, intake.isPaused, input.isPaused()]).toEqual([['a'], false, false]);
  });

  it('does not resume an input that it has not paused', () => {
    const { intake, push, input } = open();
    input.pause();
    push('a');
    intake.process();
    expect(input.isPaused()).toBe(true);
  });

  it('does not raise the concurrency while the validator loads', () => {
    let loading = true;
    const { intake, pushCalls, input } = open({ loading: () => loading });
    pushCalls(40);
    for (let each = 0; each < 5; each++) {
      expect(intake.process()).toBe(false);
      vi.advanceTimersByTime(10);
    }
    expect([intake.running, input.isPaused()]).toEqual([16, true]);
    loading = false;
    intake.process();
    vi.advanceTimersByTime(10);
    intake.process();
    expect(intake.running).toBe(32);
  });

  it('runs 16 calls at first, and 16 more after each 10 ms', () => {
    const { intake, pushCalls, events, input } = open();
    pushCalls(16);
    expect(intake.process()).toBe(false);
    pushCalls(24);
    expect(intake.process()).toBe(false);
    expect([intake.running, input.isPaused(), vi.getTimerCount()]).toEqual([16, true, 1]);
    vi.advanceTimersByTime(9);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(events).toEqual(['more room']);
    expect(intake.process()).toBe(false);
    expect([intake.running, vi.getTimerCount()]).toEqual([32, 1]);
    vi.advanceTimersByTime(10);
    expect(intake.process()).toBe(true);
    expect([intake.running, input.isPaused()]).toEqual([40, false]);
  });

  it('does not raise the concurrency when a call was answered meanwhile', async () => {
    const { intake, pushCalls, settle } = open();
    pushCalls(40);
    intake.process();
    await settle(1);
    vi.advanceTimersByTime(10);
    intake.process();
    expect(intake.running).toBe(16);
  });

  it('restarts with 16 calls after backpressure', async () => {
    const { intake, pushCalls, settle, crowd, read } = open();
    pushCalls(32);
    intake.process();
    vi.advanceTimersByTime(10);
    intake.process();
    expect(intake.running).toBe(32);
    crowd();
    await settle(32);
    vi.advanceTimersByTime(10);
    pushCalls(32);
    intake.process();
    await read();
    intake.process();
    expect(intake.running).toBe(16);
  });

  it('counts a call while its answer is delayed, synchronous or not', async () => {
    const keeps = (reply: Responses) => (reply as { id: string }).id !== 'b';
    const { intake, push, settle, answers, events, letGo } = open({ keeps });
    push('a', 'b', 'later');
    expect(intake.process()).toBe(true);
    await settle(1);
    expect([intake.running, answers, events]).toMatchObject([2, [{ id: 'b' }], []]);
    letGo();
    expect([intake.running, answers]).toMatchObject([1, [{ id: 'b' }, { id: 'a' }]]);
    letGo();
    expect([intake.running, answers]).toMatchObject([0, [{ id: 'b' }, { id: 'a' }, { id: 'later' }]]);
    expect(events.at(-1)).toBe('settled, 0 running, 3 answered');
  });

  it('processes nothing more once it is stopped, and pauses the input', () => {
    const { intake, pushCalls, served, input } = open();
    pushCalls(40);
    intake.process();
    intake.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(intake.process()).toBe(true);
    expect([served.length, input.isPaused()]).toEqual([16, true]);
  });

  it('can be stopped by a handler', () => {
    const { intake, push, served, input } = open({ onServe: (intake) => intake.stop() });
    push('a', 'b');
    expect(intake.process()).toBe(true);
    expect([served, input.isPaused()]).toEqual([['a'], true]);
  });
});
