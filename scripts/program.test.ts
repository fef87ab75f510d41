import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const program = join(import.meta.dirname, 'program.cjs');
const parameters = 'exports, require, module, __filename, __dirname, importModule, provide';

let directory: string;
let main: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ccmcp-program-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'chunks'));
  main = join(directory, 'main.cjs');
  writeFileSync(main, `require(${JSON.stringify(program)}).programIn(__dirname + '/chunks', require)('./first.cjs');`);
  const functions = Array.from({ length: 200 }, (_, index) => `function f${index}() { return ${index}; } f${index}();`);
  const code = `${functions.join('\n')}\nconsole.log('started', require('./second.cjs').name);`;
  writeFileSync(join(directory, 'chunks/first.cjs'), `(function (${parameters}) { ${code} })\n`);
  writeFileSync(join(directory, 'chunks/second.cjs'), `(function (${parameters}) { exports.name = 'second'; })\n`);
});

/** Starts the program in its own process. Rejects if it fails or writes to stderr. */
async function start(command = process.execPath, args = [main], options: ExecFileOptions = {}): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)(command, args, { ...options, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'started second\n', stderr: '' });
}

const files = (): string[] => readdirSync(join(directory, 'chunks')).toSorted();
const cacheName = (chunk: string): string => `${chunk}.cjs.${process.version}-${process.arch}.v8`;
const all = ['first.cjs', cacheName('first'), 'second.cjs', cacheName('second')];
const cache = (): string => join(directory, 'chunks', cacheName('first'));

describe('the compile cache of a program', () => {
  it('is written at the first start, one per version of Node and processor', async () => {
    writeFileSync(join(directory, 'chunks/first.cjs.v1.2.3-other.v8'), 'of another Node');
    await start();
    expect(files()).toEqual([...all, 'first.cjs.v1.2.3-other.v8'].toSorted());
    expect(readFileSync(join(directory, 'chunks/first.cjs.v1.2.3-other.v8'), 'utf8')).toBe('of another Node');
    const before = readFileSync(cache());
    await start();
    expect(readFileSync(cache())).toEqual(before);
  });

  const damages: Record<string, (data: Buffer) => Buffer> = {
    'one byte is wrong in the first half': (data) => flip(data, Math.floor(data.length / 4)),
    'one byte is wrong in the second half': (data) => flip(data, Math.floor((data.length * 3) / 4)),
    'a sector is lost': (data) => data.fill(0, 1024, 1536),
    'its beginning is wrong': (data) => flip(data, 8),
    'its end is missing': (data) => data.subarray(0, data.length - 700),
    'only its path is left': () => Buffer.from(join(directory, 'chunks/first.cjs')),
    'it is empty': () => Buffer.alloc(0),
  };
  it.each(Object.entries(damages))('is replaced where %s', async (_, damage) => {
    await start();
    const whole = readFileSync(cache());
    const damaged = damage(Buffer.from(whole));
    writeFileSync(cache(), damaged);
    await start();
    expect(readFileSync(cache()).equals(damaged)).toBe(false);
    await start();
    expect(files()).toEqual(all);
  });

  it('is whole after several first starts at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => start()));
    expect(files()).toEqual(all);
    const before = readFileSync(cache());
    await start();
    expect(readFileSync(cache())).toEqual(before);
  });

  it('is skipped if the folder is not writable', async () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    await start(process.execPath, ['--no-warnings', permission, '--allow-fs-read=*', main]);
    expect(files()).toEqual(['first.cjs', 'second.cjs']);
  });

  it.skipIf(process.platform === 'win32')('is skipped if the disk is full', async () => {
    // A limit of zero blocks: every write to a file fails, as on a full disk.
    await start('/bin/sh', ['-c', `trap '' XFSZ; ulimit -f 0; exec "$0" "$1"`, process.execPath, main]);
    expect(files()).toEqual(['first.cjs', 'second.cjs']);
  });
});

function flip(data: Buffer, at: number): Buffer {
  data[at] = (data[at] ?? 0) ^ 0x55;
  return data;
}
