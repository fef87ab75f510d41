import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { slowStream } from '../fixtures/slow-stream.ts';
import { createWriteBuffer } from './write-buffer.ts';

const megabyte = 'x'.repeat(1024 * 1024);
/** How much a stream wants at a time: less than one frame of the tests. Node's default depends on its version. */
const highWaterMark = 16 * 1024;

function open() {
  const { stream, writes, read } = slowStream();
  let written = 0;
  const outbox = createWriteBuffer({
    stream,
    write: (text, done) => stream.write(text, done),
    onWritten: () => written++,
  });
  return { outbox, stream, writes, read, written: () => written };
}

describe('the write buffer', () => {
  it('batches small frames, and writes nothing before flush', () => {
    const { outbox, writes } = open();
    for (const frame of ['a', 'b', 'c']) outbox.add(frame);
    expect(writes).toEqual([]);
    outbox.flush();
    expect(writes).toEqual(['abc']);
  });

  it('joins frames up to 64 KiB, and no further', async () => {
    const { outbox, writes, read } = open();
    const half = 'x'.repeat(32 * 1024);
    for (const frame of [half, half, 'y']) outbox.add(frame);
    outbox.flush();
    await read();
    expect(writes).toEqual([half + half, 'y']);
  });

  it('writes no more than the stream accepts, and the rest when it drains', async () => {
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

  it('signals backpressure from 1 MiB on, until half of that is left', async () => {
    const { outbox, read } = open();
    outbox.add(megabyte);
    outbox.flush();
    expect(outbox.backpressured).toBe(false);
    outbox.add('x');
    expect(outbox.backpressured).toBe(true);
    outbox.add(megabyte);
    await read();
    expect(outbox.backpressured).toBe(true);
    await read();
    await read();
    expect(outbox.backpressured).toBe(false);
  });

  it('ends backpressure when exactly half of that is left', async () => {
    const half = 'x'.repeat(512 * 1024);
    const fast = open();
    for (const frame of [`${half}x`, half]) fast.outbox.add(frame);
    fast.outbox.flush();
    expect(fast.outbox.backpressured).toBe(true);
    await fast.read();
    expect(fast.outbox.backpressured).toBe(false);
    const slow = open();
    for (const frame of [half, `${half}x`]) slow.outbox.add(frame);
    slow.outbox.flush();
    await slow.read();
    expect(slow.outbox.backpressured).toBe(true);
  });

  it('is empty when everything is written, not while it is in flight', async () => {
    const { outbox, read } = open();
    expect(outbox.empty).toBe(true);
    outbox.add('a');
    expect(outbox.empty).toBe(false);
    outbox.flush();
    expect(outbox.empty).toBe(false);
    await read();
    expect(outbox.empty).toBe(true);
  });

  it('drops duplicate frames under backpressure', async () => {
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
    await read();
    outbox.add(megabyte);
    outbox.add('x');
    for (const frame of ['b', 'c', 'b', 'c']) outbox.addOnce(frame);
    outbox.flush();
    for (let i = 0; i < 3; i++) await read();
    expect(small()).toBe('aabcbbc');
  });

  it('stops at an error of the stream', async () => {
    const writes: string[] = [];
    const stream = new Writable({
      highWaterMark,
      write(chunk, _, done) {
        writes.push(String(chunk).slice(0, 1));
        setImmediate(done, new Error('gone'));
      },
    });
    stream.on('error', () => {});
    let tried = 0;
    let written = 0;
    const write = (text: string, done: (error?: Error | null) => void): unknown => {
      tried++;
      return stream.write(text, done);
    };
    const outbox = createWriteBuffer({ stream, write, onWritten: () => written++ });
    for (const frame of ['a', 'b']) outbox.add(frame.repeat(70_000));
    outbox.flush();
    await new Promise((resolve) => stream.once('close', resolve));
    expect([tried, written]).toEqual([1, 0]);
    expect(writes).toEqual(['a']);
  });
});
