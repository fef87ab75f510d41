import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { slowStream } from '../fixtures/slow-stream.ts';
import { createGracefulShutdown } from './graceful-shutdown.ts';
import { createWriteBuffer } from './write-buffer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const grace = 500;

/** A connection with this many running calls, and the steps of its shutdown. */
function open(running = 0, period = grace) {
  const { stream, writes, read } = slowStream();
  const write = (text: string, done: () => void): unknown => stream.write(text, done);
  const writeBuffer = createWriteBuffer({ stream, write, onWritten: () => shutdown.onWritten() });
  const readBuffer = { running };
  const steps: string[] = [];
  /** The steps before delayed answers were released. */
  const stepsBeforeRelease: string[][] = [];
  const shutdown = createGracefulShutdown({
    grace: period,
    writeBuffer,
    readBuffer,
    finish: () => steps.push(`finish while ${shutdown.stage}`),
    releaseDelayed: () => stepsBeforeRelease.push([...steps]),
    rejectPending: () => steps.push(`give up while ${shutdown.stage}`),
    release: () => steps.push(`release while ${shutdown.stage}`),
  });
  const answered = (): void => {
    readBuffer.running--;
    shutdown.onAnswered();
  };
  return { shutdown, steps, stepsBeforeRelease, readBuffer, writeBuffer, writes, read, answered };
}

describe('the end of a connection', () => {
  it('begins once', () => {
    const { shutdown } = open();
    expect(shutdown.stage).toBe('open');
    expect(shutdown.begin()).toBe(true);
    expect(shutdown.stage).toBe('ending');
    expect(shutdown.begin()).toBe(false);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('does not begin by itself, however often everything is processed, answered and read', () => {
    const { shutdown, steps } = open();
    shutdown.onAllProcessed();
    shutdown.onAnswered();
    shutdown.onWritten();
    expect([shutdown.stage, steps]).toEqual(['open', []]);
  });

  it('waits until every message is processed', () => {
    const { shutdown, steps } = open();
    shutdown.begin();
    shutdown.onAnswered();
    shutdown.onWritten();
    expect([shutdown.stage, steps]).toEqual(['ending', []]);
  });

  it('comes at once when nothing runs and nothing is left to send', async () => {
    const { shutdown, steps } = open();
    shutdown.begin();
    shutdown.onAllProcessed();
    expect([shutdown.stage, steps]).toEqual(['closed', ['finish while answering', 'release while closed']]);
    expect(vi.getTimerCount()).toBe(0);
    await shutdown.closed;
  });

  it('waits for the last of the running calls, and finishes only once', () => {
    const { shutdown, steps, answered } = open(2);
    shutdown.begin();
    shutdown.onAllProcessed();
    shutdown.onAllProcessed();
    answered();
    shutdown.onWritten();
    expect([shutdown.stage, steps]).toEqual(['answering', ['finish while answering']]);
    answered();
    expect(shutdown.stage).toBe('closed');
  });

  it('sends the last answers and waits until they are read', async () => {
    const { shutdown, writeBuffer, writes, read } = open();
    shutdown.begin();
    for (const frame of ['a', 'b']) writeBuffer.add(frame.repeat(64 * 1024));
    shutdown.onAllProcessed();
    expect(shutdown.stage).toBe('flushing');
    expect(writes.map((text) => text[0])).toEqual(['a']);
    await read();
    expect(shutdown.stage).toBe('flushing');
    await read();
    expect(shutdown.stage).toBe('closed');
    expect(writes.map((text) => text[0])).toEqual(['a', 'b']);
    await shutdown.closed;
  });

  it('does not wait longer than a second for a client that reads nothing', () => {
    const { shutdown, writeBuffer, steps } = open();
    shutdown.begin();
    writeBuffer.add('a');
    shutdown.onAllProcessed();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(999);
    expect(shutdown.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(steps.at(-1)).toBe('release while closed');
  });

  it('gives a client another second with each read', async () => {
    const { shutdown, writeBuffer, read } = open();
    shutdown.begin();
    for (const frame of ['a', 'b', 'c']) writeBuffer.add(frame.repeat(64 * 1024));
    shutdown.onAllProcessed();
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(999);
      await read();
    }
    vi.advanceTimersByTime(999);
    expect(shutdown.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(shutdown.stage).toBe('closed');
  });

  it('rejects calls that outlast the grace period, sends their answers and waits for nothing else', async () => {
    const { shutdown, steps } = open(1);
    shutdown.begin();
    shutdown.onAllProcessed();
    vi.advanceTimersByTime(grace - 1);
    expect(steps).toEqual(['finish while answering']);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
    await turn();
    expect(steps.at(-1)).toBe('release while closed');
  });

  it('comes once when rejected calls are answered', async () => {
    const { shutdown, steps, answered } = open(1);
    shutdown.begin();
    shutdown.onAllProcessed();
    vi.advanceTimersByTime(grace);
    answered();
    expect(shutdown.stage).toBe('closed');
    await turn();
    expect(steps.filter((step) => step.startsWith('release'))).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('restarts the grace period with each answer and each read while messages still wait to be processed', () => {
    const { shutdown, steps, answered } = open(3);
    shutdown.begin();
    for (const step of [answered, answered, () => shutdown.onWritten()]) {
      vi.advanceTimersByTime(grace - 1);
      step();
    }
    shutdown.onAllProcessed();
    vi.advanceTimersByTime(grace - 1);
    expect(steps).toEqual(['finish while answering']);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('gives running calls the grace period in all, whatever is answered or read meanwhile (SF-16)', async () => {
    const { shutdown, steps, answered, writeBuffer, read } = open(3);
    shutdown.begin();
    shutdown.onAllProcessed();
    vi.advanceTimersByTime(grace - 1);
    answered();
    writeBuffer.add('a'.repeat(64 * 1024));
    writeBuffer.flush();
    await read();
    expect(steps).toEqual(['finish while answering']);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('gives a client the grace period to read, if that is more than a second', () => {
    const { shutdown, writeBuffer } = open(0, 5000);
    shutdown.begin();
    writeBuffer.add('a');
    shutdown.onAllProcessed();
    vi.advanceTimersByTime(4999);
    expect(shutdown.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(shutdown.stage).toBe('closed');
  });

  it('can be shortened, and still restarts with each answer while messages wait', () => {
    const { shutdown, steps, answered } = open(3);
    shutdown.begin();
    vi.advanceTimersByTime(grace - 1);
    shutdown.shortenGrace(100);
    vi.advanceTimersByTime(99);
    answered();
    vi.advanceTimersByTime(99);
    shutdown.onAllProcessed();
    expect(steps).toEqual(['finish while answering']);
    shutdown.shortenGrace(1000);
    vi.advanceTimersByTime(100);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('can have a fixed deadline, whatever is answered until then', () => {
    const { shutdown, steps, answered } = open(3);
    shutdown.begin();
    shutdown.onAllProcessed();
    shutdown.shortenGrace(100, { fixed: true });
    vi.advanceTimersByTime(99);
    answered();
    shutdown.onWritten();
    shutdown.shortenGrace(100);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('can be shortened while the last answers wait for their reader', () => {
    const { shutdown, writeBuffer } = open(0, 60_000);
    shutdown.begin();
    writeBuffer.add('a');
    shutdown.onAllProcessed();
    shutdown.shortenGrace(2000);
    vi.advanceTimersByTime(1999);
    expect(shutdown.stage).toBe('flushing');
    shutdown.shortenGrace(2000, { fixed: true });
    vi.advanceTimersByTime(999);
    expect(shutdown.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(shutdown.stage).toBe('closed');
    shutdown.shortenGrace(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends delayed answers when the grace period is over, before calls are rejected', () => {
    const { shutdown, steps, stepsBeforeRelease } = open(1);
    shutdown.begin();
    shutdown.onAllProcessed();
    expect(stepsBeforeRelease).toEqual([]);
    vi.advanceTimersByTime(grace);
    expect(stepsBeforeRelease).toEqual([['finish while answering']]);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('processes no more messages after the grace period, although some may wait', async () => {
    const { shutdown, steps } = open(1);
    shutdown.begin();
    vi.advanceTimersByTime(grace);
    await turn();
    expect(steps).toEqual(['finish while answering', 'give up while answering', 'release while closed']);
  });

  it('has no grace period left once everything is answered', () => {
    const { shutdown, writeBuffer, steps } = open();
    shutdown.begin();
    writeBuffer.add('a');
    shutdown.onAllProcessed();
    vi.advanceTimersByTime(grace);
    expect(steps).toEqual(['finish while answering']);
  });

  it.each([
    ['open', () => {}],
    ['ending', (shutdown: ReturnType<typeof createGracefulShutdown>) => void shutdown.begin()],
  ])('comes at once when the client disconnects, also while %s', async (_, prepare) => {
    const { shutdown, steps } = open(1);
    prepare(shutdown);
    shutdown.end();
    shutdown.end();
    await shutdown.closed;
    expect(steps).toEqual(['release while closed']);
    expect(vi.getTimerCount()).toBe(0);
    expect(shutdown.begin()).toBe(false);
    shutdown.onAllProcessed();
    shutdown.onAnswered();
    expect(shutdown.stage).toBe('closed');
  });
});
