import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { slowStream } from '../fixtures/slow-stream.ts';
import { reserveStdout } from './reserve-stdout.ts';

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

describe('stdout that is reserved', () => {
  it('is there for its holder alone, who hears when a text is through', async () => {
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

  it('is given back as it was, whether it had a `write` of its own or not', () => {
    keep(stdout, 'write');
    const own = (): boolean => true;
    stdout.write = own;
    reserveStdout().release();
    expect(stdout.write).toBe(own);
    Reflect.deleteProperty(stdout, 'write');
    reserveStdout().release();
    expect(Object.hasOwn(stdout, 'write')).toBe(false);
  });

  it('is left alone where somebody else has taken it meanwhile', () => {
    keep(stdout, 'write');
    const reserved = reserveStdout();
    const other = (): boolean => true;
    stdout.write = other;
    reserved.release();
    expect(stdout.write).toBe(other);
  });

  it('passes on what others write, in their encoding, and tells them when it is through', async () => {
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

  it('drops what others write above 1 MiB that nobody reads, and keeps nobody waiting', async () => {
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

  it('listens once for errors of stderr, whoever else does', () => {
    const { stream } = slowStream();
    reserve(stream);
    for (let i = 0; i < 3; i++) stdout.write('x');
    expect(stream.listenerCount('error')).toBe(1);
    stream.emit('error', new Error('EPIPE'));
    // One that is there for a moment only would leave the next error to nobody.
    stream.removeAllListeners('error').once('error', () => {});
    stdout.write('x');
    expect(stream.listenerCount('error')).toBe(2);
  });

  it('tells others nothing of a stderr that fails, nor throws at them (FT-24)', async () => {
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
