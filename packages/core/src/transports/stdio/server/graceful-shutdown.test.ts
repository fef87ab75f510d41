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
  const outbox = createWriteBuffer({ stream, write, onWritten: () => ending.onWritten() });
  const intake = { running };
  const steps: string[] = [];
  /** The steps before delayed answers were released. */
  const lettingGo: string[][] = [];
  const ending = createGracefulShutdown({
    grace: period,
    writeBuffer: outbox,
    readBuffer: intake,
    finish: () => steps.push(`finish while ${ending.stage}`),
    releaseDelayed: () => lettingGo.push([...steps]),
    rejectPending: () => steps.push(`give up while ${ending.stage}`),
    release: () => steps.push(`release while ${ending.stage}`),
  });
  const answered = (): void => {
    intake.running--;
    ending.onAnswered();
  };
  return { ending, steps, lettingGo, intake, outbox, writes, read, answered };
}

describe('the end of a connection', () => {
  it('begins once', () => {
    const { ending } = open();
    expect(ending.stage).toBe('open');
    expect(ending.begin()).toBe(true);
    expect(ending.stage).toBe('ending');
    expect(ending.begin()).toBe(false);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('does not begin by itself, however often everything is processed, answered and read', () => {
    const { ending, steps } = open();
    ending.onAllProcessed();
    ending.onAnswered();
    ending.onWritten();
    expect([ending.stage, steps]).toEqual(['open', []]);
  });

  it('waits until every message is processed', () => {
    const { ending, steps } = open();
    ending.begin();
    ending.onAnswered();
    ending.onWritten();
    expect([ending.stage, steps]).toEqual(['ending', []]);
  });

  it('comes at once when nothing runs and nothing is left to send', async () => {
    const { ending, steps } = open();
    ending.begin();
    ending.onAllProcessed();
    expect([ending.stage, steps]).toEqual(['closed', ['finish while answering', 'release while closed']]);
    expect(vi.getTimerCount()).toBe(0);
    await ending.closed;
  });

  it('waits for the last of the running calls, and finishes only once', () => {
    const { ending, steps, answered } = open(2);
    ending.begin();
    ending.onAllProcessed();
    ending.onAllProcessed();
    answered();
    ending.onWritten();
    expect([ending.stage, steps]).toEqual(['answering', ['finish while answering']]);
    answered();
    expect(ending.stage).toBe('closed');
  });

  it('sends the last answers and waits until they are read', async () => {
    const { ending, outbox, writes, read } = open();
    ending.begin();
    for (const frame of ['a', 'b']) outbox.add(frame.repeat(64 * 1024));
    ending.onAllProcessed();
    expect(ending.stage).toBe('flushing');
    expect(writes.map((text) => text[0])).toEqual(['a']);
    await read();
    expect(ending.stage).toBe('flushing');
    await read();
    expect(ending.stage).toBe('closed');
    expect(writes.map((text) => text[0])).toEqual(['a', 'b']);
    await ending.closed;
  });

  it('does not wait longer than a second for a client that reads nothing', () => {
    const { ending, outbox, steps } = open();
    ending.begin();
    outbox.add('a');
    ending.onAllProcessed();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(999);
    expect(ending.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(steps.at(-1)).toBe('release while closed');
  });

  it('gives a client another second with each read', async () => {
    const { ending, outbox, read } = open();
    ending.begin();
    for (const frame of ['a', 'b', 'c']) outbox.add(frame.repeat(64 * 1024));
    ending.onAllProcessed();
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(999);
      await read();
    }
    vi.advanceTimersByTime(999);
    expect(ending.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(ending.stage).toBe('closed');
  });

  it('rejects calls that outlast the grace period, sends their answers and waits for nothing else', async () => {
    const { ending, steps } = open(1);
    ending.begin();
    ending.onAllProcessed();
    vi.advanceTimersByTime(grace - 1);
    expect(steps).toEqual(['finish while answering']);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
    await turn();
    expect(steps.at(-1)).toBe('release while closed');
  });

  it('comes once when rejected calls are answered', async () => {
    const { ending, steps, answered } = open(1);
    ending.begin();
    ending.onAllProcessed();
    vi.advanceTimersByTime(grace);
    answered();
    expect(ending.stage).toBe('closed');
    await turn();
    expect(steps.filter((step) => step.startsWith('release'))).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('restarts the grace period with each answer and each read while messages still wait to be processed', () => {
    const { ending, steps, answered } = open(3);
    ending.begin();
    for (const step of [answered, answered, () => ending.onWritten()]) {
      vi.advanceTimersByTime(grace - 1);
      step();
    }
    ending.onAllProcessed();
    vi.advanceTimersByTime(grace - 1);
    expect(steps).toEqual(['finish while answering']);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('gives running calls the grace period in all, whatever is answered or read meanwhile (SF-16)', async () => {
    const { ending, steps, answered, outbox, read } = open(3);
    ending.begin();
    ending.onAllProcessed();
    vi.advanceTimersByTime(grace - 1);
    answered();
    outbox.add('a'.repeat(64 * 1024));
    outbox.flush();
    await read();
    expect(steps).toEqual(['finish while answering']);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('gives a client the grace period to read, if that is more than a second', () => {
    const { ending, outbox } = open(0, 5000);
    ending.begin();
    outbox.add('a');
    ending.onAllProcessed();
    vi.advanceTimersByTime(4999);
    expect(ending.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(ending.stage).toBe('closed');
  });

  it('can be shortened, and still restarts with each answer while messages wait', () => {
    const { ending, steps, answered } = open(3);
    ending.begin();
    vi.advanceTimersByTime(grace - 1);
    ending.shortenGrace(100);
    vi.advanceTimersByTime(99);
    answered();
    vi.advanceTimersByTime(99);
    ending.onAllProcessed();
    expect(steps).toEqual(['finish while answering']);
    ending.shortenGrace(1000);
    vi.advanceTimersByTime(100);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('can have a fixed deadline, whatever is answered until then', () => {
    const { ending, steps, answered } = open(3);
    ending.begin();
    ending.onAllProcessed();
    ending.shortenGrace(100, { fixed: true });
    vi.advanceTimersByTime(99);
    answered();
    ending.onWritten();
    ending.shortenGrace(100);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('can be shortened while the last answers wait for their reader', () => {
    const { ending, outbox } = open(0, 60_000);
    ending.begin();
    outbox.add('a');
    ending.onAllProcessed();
    ending.shortenGrace(2000);
    vi.advanceTimersByTime(1999);
    expect(ending.stage).toBe('flushing');
    ending.shortenGrace(2000, { fixed: true });
    vi.advanceTimersByTime(999);
    expect(ending.stage).toBe('flushing');
    vi.advanceTimersByTime(1);
    expect(ending.stage).toBe('closed');
    ending.shortenGrace(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends delayed answers when the grace period is over, before calls are rejected', () => {
    const { ending, steps, lettingGo } = open(1);
    ending.begin();
    ending.onAllProcessed();
    expect(lettingGo).toEqual([]);
    vi.advanceTimersByTime(grace);
    expect(lettingGo).toEqual([['finish while answering']]);
    expect(steps).toEqual(['finish while answering', 'give up while answering']);
  });

  it('processes no more messages after the grace period, although some may wait', async () => {
    const { ending, steps } = open(1);
    ending.begin();
    vi.advanceTimersByTime(grace);
    await turn();
    expect(steps).toEqual(['finish while answering', 'give up while answering', 'release while closed']);
  });

  it('has no grace period left once everything is answered', () => {
    const { ending, outbox, steps } = open();
    ending.begin();
    outbox.add('a');
    ending.onAllProcessed();
    vi.advanceTimersByTime(grace);
    expect(steps).toEqual(['finish while answering']);
  });

  it.each([
    ['open', () => {}],
    ['ending', (ending: ReturnType<typeof createGracefulShutdown>) => void ending.begin()],
  ])('comes at once when the client disconnects, also while %s', async (_, prepare) => {
    const { ending, steps } = open(1);
    prepare(ending);
    ending.end();
    ending.end();
    await ending.closed;
    expect(steps).toEqual(['release while closed']);
    expect(vi.getTimerCount()).toBe(0);
    expect(ending.begin()).toBe(false);
    ending.onAllProcessed();
    ending.onAnswered();
    expect(ending.stage).toBe('closed');
  });
});
