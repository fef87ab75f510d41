import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutbox } from './outbox.ts';

const megabyte = 'x'.repeat(1024 * 1024);
/** How much a stream wants at a time: less than one frame of the tests. Node's default depends on its version. */
const highWaterMark = 16 * 1024;

/** A stream whose reader takes one write at a time, when told to. */
function slowStream() {
  const writes: string[] = [];
  let waiting: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(text: string, _, done) {
      writes.push(text);
      waiting = done;
    },
  });
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      waiting?.();
      setImmediate(resolve);
    });
  return { stream, writes, read };
}

function open() {
  const { stream, writes, read } = slowStream();
  let written = 0;
  const outbox = createOutbox({ stream, write: (text, done) => stream.write(text, done), onWritten: () => written++ });
  return { outbox, stream, writes, read, written: () => written };
}

describe('the outbox', () => {
  it('writes small frames together, and nothing before it is told to', () => {
    const { outbox, writes } = open();
    for (const frame of ['a', 'b', 'c']) outbox.add(frame);
    expect(writes).toEqual([]);
    outbox.flush();
    expect(writes).toEqual(['abc']);
  });

  it('hands the stream no more than it wants, and the rest by itself as it is read', async () => {
    const { outbox, stream, writes, read, written } = open();
    for (const frame of ['a', 'b', 'c']) outbox.add(frame.repeat(60_000));
    outbox.flush();
    expect(stream.writableLength).toBe(60_000);
    await read();
    await read();
    expect(writes.map((text) => text[0])).toEqual(['a', 'b', 'c']);
    expect(outbox.empty).toBe(false);
    await read();
    expect(outbox.empty).toBe(true);
    expect(written()).toBe(3);
  });

  it('is crowded from 1 MiB on, until half of that is left', async () => {
    const { outbox, read } = open();
    outbox.add(megabyte);
    outbox.flush();
    expect(outbox.crowded).toBe(false);
    outbox.add('x');
    expect(outbox.crowded).toBe(true);
    outbox.add(megabyte);
    await read();
    expect(outbox.crowded).toBe(true);
    await read();
    await read();
    expect(outbox.crowded).toBe(false);
  });

  it('keeps one copy of what need not be said twice, while it is crowded', async () => {
    const { outbox, writes, read } = open();
    const small = () => writes.join('').replaceAll('x', '');
    outbox.addOnce('a');
    outbox.addOnce('a');
    outbox.add(megabyte);
    for (const frame of ['b', 'c', 'b', 'c']) outbox.addOnce(frame);
    outbox.flush();
    for (let i = 0; i < 3; i++) await read();
    expect(small()).toBe('aabc');
    outbox.addOnce('b');
    outbox.flush();
    expect(small()).toBe('aabcb');
  });

  it('stops at an error of the stream', async () => {
    const writes: string[] = [];
    const stream = new Writable({
      highWaterMark,
      write(chunk, _, done) {
        writes.push(String(chunk).slice(0, 1));
        done(new Error('gone'));
      },
    });
    stream.on('error', () => {});
    const outbox = createOutbox({ stream, write: (text, done) => stream.write(text, done), onWritten: () => {} });
    for (const frame of ['a', 'b']) outbox.add(frame.repeat(60_000));
    outbox.flush();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(writes).toEqual(['a']);
  });
});
