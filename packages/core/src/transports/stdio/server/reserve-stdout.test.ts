import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { slowStream } from '../fixtures/slow-stream.ts';
import { reserveStdout } from './serve.ts';

const { stdout } = process;

/** Puts a property back after the test. */
function keep(owner: object, name: string): void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
  });
}

function replaceStderr(stream: Writable): void {
  keep(process, 'stderr');
  Object.defineProperty(process, 'stderr', { value: stream, configurable: true });
}

/** Reserves stdout for a test, with a stream in the place of stderr. */
function reserve(stderr: Writable): void {
  replaceStderr(stderr);
  const reserved = reserveStdout();
  onTestFinished(() => reserved.release());
}

describe('reserved stdout', () => {
  it("carries only the holder's writes, and calls back when one is done", async () => {
    keep(stdout, 'write');
    const written: unknown[] = [];
    stdout.write = (text: unknown, done: unknown) => {
      written.push(text);
      (done as () => void)();
      return true;
    };
    const { stream, writes } = slowStream();
    replaceStderr(stream);
    const reserved = reserveStdout();
    stdout.write('stray');
    await new Promise<void>((resolve) => void reserved.write('text', () => resolve()));
    expect([written, writes]).toEqual([['text'], ['stray']]);
  });

  it('is restored as it was, with or without an own `write`', () => {
    keep(stdout, 'write');
    const own = (): boolean => true;
    stdout.write = own;
    reserveStdout().release();
    expect(stdout.write).toBe(own);
    Reflect.deleteProperty(stdout, 'write');
    reserveStdout().release();
    expect(Object.hasOwn(stdout, 'write')).toBe(false);
  });

  it('is not restored if somebody else replaced `write` meanwhile', () => {
    keep(stdout, 'write');
    const reserved = reserveStdout();
    const other = (): boolean => true;
    stdout.write = other;
    reserved.release();
    expect(stdout.write).toBe(other);
  });

  it('redirects other writes to stderr in their encoding, and calls back', async () => {
    const written: string[] = [];
    reserve(
      new Writable({
        write(chunk, _, done) {
          written.push(String(chunk));
          done();
        },
      }),
    );
    await new Promise<void>((resolve) => void stdout.write('plain', () => resolve()));
    await new Promise<void>((resolve) => void stdout.write('686578', 'hex', () => resolve()));
    stdout.write(Buffer.from('bytes'));
    expect(written).toEqual(['plain', 'hex', 'bytes']);
  });

  it('drops other writes above 1 MiB unread, and blocks nobody', async () => {
    const { stream, writes, read } = slowStream();
    reserve(stream);
    const megabyte = 'x'.repeat(1024 * 1024);
    expect(stdout.write(megabyte)).toBe(true);
    expect(stdout.write('the last that is kept')).toBe(true);
    expect(stdout.write('dropped')).toBe(true);
    await new Promise<void>((resolve) => void stdout.write('dropped', () => resolve()));
    await new Promise<void>((resolve) => void stdout.write('dropped', 'utf8', () => resolve()));
    for (let i = 0; i < 3; i++) await read();
    expect(writes).toEqual([megabyte, 'the last that is kept']);
  });

  it('adds one error listener to stderr', () => {
    const { stream } = slowStream();
    reserve(stream);
    for (let i = 0; i < 3; i++) stdout.write('x');
    expect(stream.listenerCount('error')).toBe(1);
    stream.emit('error', new Error('EPIPE'));
    // A temporary listener would leave the next error unhandled.
    stream.removeAllListeners('error').once('error', () => {});
    stdout.write('x');
    expect(stream.listenerCount('error')).toBe(2);
  });

  it('hides errors of stderr from other writers (FT-24)', async () => {
    const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) });
    reserve(failing);
    const error = await new Promise<unknown>((resolve) => void stdout.write('x', resolve));
    expect(error).toBeUndefined();
    failing.write = () => {
      throw new Error('EAGAIN');
    };
    expect(stdout.write('x')).toBe(true);
  });
});
