import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileError } from './file-error.ts';
import { openDescriptors } from './fixtures/open-descriptors.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

const isLinux = process.platform === 'linux';

describe.each<[string, SandboxOptions]>([
  ['with held descriptors', {}],
  ['with checked paths', { withoutDescriptors: true }],
])('a sandbox %s', (_, options) => {
  let base: string;
  let root: string;
  let outside: string;
  let sandbox: Sandbox;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-changes-')));
    root = join(base, 'root');
    outside = join(base, 'outside');
    for (const directory of [root, join(root, 'sub'), join(root, 'sub/deep'), outside, join(outside, 'dir')]) {
      mkdirSync(directory);
    }
    writeFileSync(join(root, 'a.txt'), 'inside\n');
    writeFileSync(join(root, 'sub/b.txt'), 'below');
    writeFileSync(join(outside, 'secret.txt'), 'SECRET');
    writeFileSync(join(outside, 'dir/secret.txt'), 'SECRET');
    symlinkSync(outside, join(root, 'out'));
    symlinkSync('../../outside/secret.txt', join(root, 'sub/out.txt'));
    sandbox = openSandbox(root, options);
  });

  afterEach(() => {
    sandbox.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 10 });
  });

  function expectOutsideUntouched(): void {
    expect(readdirSync(outside).toSorted()).toEqual(['dir', 'secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
    expect(readdirSync(join(outside, 'dir'))).toEqual(['secret.txt']);
  }

  const edits = [{ oldText: 'SECRET', newText: 'x' }];
  /** Every change that is possible at a path. */
  const changes: Record<string, (path: string) => unknown> = {
    'make a directory': (path) => sandbox.makeDirectory(path),
    edit: (path) => sandbox.editFile(path, { edits }),
    'move from': (path) => sandbox.move(path, 'moved'),
    'move to': (path) => sandbox.move('a.txt', path),
    discard: (path) => sandbox.discard(path),
    remove: (path) => sandbox.remove(path),
  };

  describe.each(Object.keys(changes))('to %s', (name) => {
    const change = (path: string): unknown => changes[name]?.(path);

    it.each(['../outside/secret.txt', 'sub/../a.txt', '..', 'sub\\..\\a.txt'])('rejects %s (FS-02)', (path) => {
      expect(rejection(() => change(path))).toBe(`Path contains '..': ${path}`);
      expectOutsideUntouched();
    });

    it('rejects absolute paths outside, NUL bytes and too long paths (FS-03, FS-22)', () => {
      expect(rejection(() => change('/etc/passwd'))).toBe('Path leads outside the root: /etc/passwd');
      expect(rejection(() => change(join(outside, 'secret.txt')))).toMatch('Path leads outside the root');
      expect(rejection(() => change('a\0b'))).toMatch('Path contains a NUL byte');
      expect(rejection(() => change('a/'.repeat(2048).concat('b')))).toMatch('Path is longer than 4096 characters');
    });

    it('follows no link out of the root on the way (FS-05)', () => {
      for (const path of ['out/secret.txt', 'out/dir', 'out/dir/secret.txt', 'out/new']) {
        expect(rejection(() => change(path))).toBe(`Path leads outside the root: ${path}`);
      }
      expectOutsideUntouched();
    });

    it('changes nothing in a replaced root (FS-25)', () => {
      rmSync(join(base, 'root'), { recursive: true, maxRetries: 10 });
      symlinkSync(outside, root);
      for (const path of ['secret.txt', 'dir', 'new']) {
        expect(rejection(() => change(path))).toMatch('The root directory was removed or replaced');
      }
      expectOutsideUntouched();
    });

    it.skipIf(!isLinux)('closes all descriptors, also after errors', () => {
      const before = openDescriptors(base);
      for (const path of ['sub/b.txt', 'sub/deep', 'no/x', 'out/x', 'sub/out.txt', 'a.txt/x', 'x/y/z', '.']) {
        try {
          change(path);
        } catch (error) {
          expect(error).toBeInstanceOf(FileError);
        }
      }
      expect(openDescriptors(base)).toEqual(before);
      expectOutsideUntouched();
    });
  });

  describe('making directories', () => {
    it('creates missing parents, and returns whether it was created', () => {
      expect(sandbox.makeDirectory('x/y/z')).toBe(true);
      expect(statSync(join(root, 'x/y/z')).isDirectory()).toBe(true);
      expect(sandbox.makeDirectory('x/y/z')).toBe(false);
      expect(sandbox.makeDirectory('.')).toBe(false);
      expect(sandbox.makeDirectory(join(root, 'sub/new/'))).toBe(true);
    });

    it('rejects a path with a file, also as a parent', () => {
      expect(rejection(() => sandbox.makeDirectory('a.txt'))).toBe('A file is already there: a.txt');
      expect(rejection(() => sandbox.makeDirectory('a.txt/b'))).toBe('Not a directory: a.txt');
      expect(rejection(() => sandbox.makeDirectory('out'))).toMatch('Path leads outside the root');
    });

    it('follows links that stay inside', () => {
      symlinkSync('sub', join(root, 'link'));
      expect(sandbox.makeDirectory('link/new')).toBe(true);
      expect(existsSync(join(root, 'sub/new'))).toBe(true);
    });
  });

  describe('editing', () => {
    it('applies all edits or none, and keeps the mode', () => {
      chmodSync(join(root, 'a.txt'), 0o640);
      const good = { oldText: 'inside', newText: 'edited' };
      const bad = { oldText: 'nowhere', newText: 'x' };
      expect(rejection(() => sandbox.editFile('a.txt', { edits: [good, bad] }))).toMatch(/^old_text of edit 2/);
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('inside\n');
      expect(sandbox.editFile('a.txt', { edits: [good] })).toEqual({
        before: 'inside\n',
        after: 'edited\n',
        replacements: 1,
      });
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('edited\n');
      expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o640);
      expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'out', 'sub']);
    });

    it('changes nothing in a dry run', () => {
      const { mtimeNs } = statSync(join(root, 'a.txt'), { bigint: true });
      const dry = { edits: [{ oldText: 'inside', newText: 'edited' }], dryRun: true };
      expect(sandbox.editFile('a.txt', dry)).toMatchObject({ after: 'edited\n' });
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('inside\n');
      expect(statSync(join(root, 'a.txt'), { bigint: true }).mtimeNs).toBe(mtimeNs);
    });

    it('rejects files that are not text', () => {
      expect(rejection(() => sandbox.editFile('no.txt', { edits }))).toBe('File not found: no.txt');
      expect(rejection(() => sandbox.editFile('sub', { edits }))).toBe('Is a directory: sub');
      expect(rejection(() => sandbox.editFile('', { edits }))).toMatch('Path is empty');
      writeFileSync(join(root, 'image'), Buffer.from([0x89, 0xff]));
      expect(rejection(() => sandbox.editFile('image', { edits }))).toMatch('Not a text file');
      expect(rejection(() => sandbox.editFile('sub/out.txt', { edits }))).toMatch('Path leads outside the root');
    });

    it('replaces a hard link and leaves the file outside as it was (FS-26)', () => {
      linkSync(join(outside, 'secret.txt'), join(root, 'hard'));
      sandbox.editFile('hard', { edits });
      expect(readFileSync(join(root, 'hard'), 'utf8')).toBe('x');
      expectOutsideUntouched();
    });
  });

  describe('moving', () => {
    it('renames files and directories', () => {
      sandbox.move('a.txt', 'sub/c.txt');
      sandbox.move('sub', 'elsewhere');
      expect(readFileSync(join(root, 'elsewhere/c.txt'), 'utf8')).toBe('inside\n');
      expect(readdirSync(root).toSorted()).toEqual(['elsewhere', 'out']);
    });

    it('never replaces anything', () => {
      mkdirSync(join(root, 'empty'));
      symlinkSync('nowhere', join(root, 'dangling'));
      for (const to of ['sub/b.txt', 'sub', 'empty', 'dangling', 'out', 'a.txt', '.']) {
        expect(rejection(() => sandbox.move('a.txt', to))).toMatch('Something is already there');
        if (to !== 'sub') expect(rejection(() => sandbox.move('sub/deep', to))).toMatch('Something is already there');
      }
      expect(readFileSync(join(root, 'sub/b.txt'), 'utf8')).toBe('below');
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('inside\n');
    });

    it('moves a link as a link, wherever it leads', () => {
      sandbox.move('out', 'sub/moved');
      expect(readlinkSync(join(root, 'sub/moved'))).toBe(outside);
      expect(existsSync(join(root, 'out'))).toBe(false);
      expectOutsideUntouched();
    });

    it('moves other kinds of entries', () => {
      execFileSync('sh', ['-c', 'mkfifo fifo'], { cwd: root });
      sandbox.move('fifo', 'sub/fifo');
      expect(lstatSync(join(root, 'sub/fifo')).isFIFO()).toBe(true);
    });

    it('keeps the number of hard links', () => {
      linkSync(join(root, 'a.txt'), join(root, 'second'));
      sandbox.move('a.txt', 'sub/a.txt');
      expect(statSync(join(root, 'second')).nlink).toBe(2);
    });

    it('reports the problem, and leaves nothing behind', () => {
      expect(rejection(() => sandbox.move('no', 'x'))).toBe('File not found: no');
      expect(rejection(() => sandbox.move('a.txt', 'no/x'))).toBe('Directory not found: no');
      expect(rejection(() => sandbox.move('sub', 'sub/deep/sub'))).toBe(
        'A folder can not be moved into itself: sub/deep/sub',
      );
      expect(rejection(() => sandbox.move('.', 'x'))).toBe('The root itself can not be moved or deleted: .');
      expect(rejection(() => sandbox.move('', 'x'))).toMatch('The root itself can not be moved or deleted');
      expect(rejection(() => sandbox.move('a.txt', 'x'.repeat(300)))).toMatch('A name in the path is too long');
      expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'out', 'sub']);
      expect(readdirSync(join(root, 'sub/deep'))).toEqual([]);
    });
  });

  describe('deleting to the trash', () => {
    it('keeps deleted entries with their path, so that a move restores them', () => {
      const kept = sandbox.discard('sub/b.txt');
      expect(kept).toMatch(/^\.trash\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{8}\/sub\/b\.txt$/);
      expect(existsSync(join(root, 'sub/b.txt'))).toBe(false);
      expect(sandbox.readFile(kept)).toBe('below');
      sandbox.move(kept, 'sub/b.txt');
      expect(sandbox.readFile('sub/b.txt')).toBe('below');
    });

    it('moves a whole directory, and a link as a link', () => {
      expect(readdirSync(join(root, sandbox.discard('sub'))).toSorted()).toEqual(['b.txt', 'deep', 'out.txt']);
      expect(readlinkSync(join(root, sandbox.discard('out')))).toBe(outside);
      expectOutsideUntouched();
    });

    it('separates entries of the same name', () => {
      const first = sandbox.discard('a.txt');
      sandbox.writeFile('a.txt', 'second');
      const second = sandbox.discard('a.txt');
      expect(second).not.toBe(first);
      expect([sandbox.readFile(first), sandbox.readFile(second)]).toEqual(['inside\n', 'second']);
    });

    it('hides the trash from git', () => {
      sandbox.discard('a.txt');
      expect(readFileSync(join(root, '.trash/.gitignore'), 'utf8')).toBe('*\n');
    });

    it('rejects entries in the trash by any path, the trash and the root', () => {
      const kept = sandbox.discard('sub');
      symlinkSync('.', join(root, 'self'));
      symlinkSync('.trash', join(root, 'link'));
      for (const path of [kept, `${kept}/b.txt`, '.trash', 'self/.trash', `self/${kept}`, 'link/.gitignore']) {
        expect(rejection(() => sandbox.discard(path))).toMatch('In the trash already');
      }
      expect(rejection(() => sandbox.discard('.'))).toMatch('The root itself');
      expect(sandbox.discard('link')).toMatch(/^\.trash\//);
      expect(existsSync(join(root, '.trash'))).toBe(true);
    });

    it('rejects a delete if the name of the trash is taken', () => {
      symlinkSync(outside, join(root, '.trash'));
      expect(rejection(() => sandbox.discard('a.txt'))).toMatch('Nothing can be deleted');
      rmSync(join(root, '.trash'));
      writeFileSync(join(root, '.trash'), '');
      expect(rejection(() => sandbox.discard('a.txt'))).toMatch('Nothing can be deleted');
      expect(existsSync(join(root, 'a.txt'))).toBe(true);
      expectOutsideUntouched();
    });

    it('creates no trash for a missing entry', () => {
      expect(rejection(() => sandbox.discard('no'))).toBe('File not found: no');
      expect(existsSync(join(root, '.trash'))).toBe(false);
    });
  });

  describe('deleting permanently', () => {
    it('removes files, links and whole directories, and counts them', () => {
      expect(sandbox.remove('a.txt')).toBe(1);
      expect(sandbox.remove('sub')).toBe(4);
      expect(sandbox.remove('out')).toBe(1);
      expect(readdirSync(root)).toEqual([]);
      expectOutsideUntouched();
    });

    it('leaves no trash, and empties one', () => {
      sandbox.discard('a.txt');
      expect(sandbox.remove('.trash')).toBe(4);
      expect(rejection(() => sandbox.remove('.'))).toMatch('The root itself');
    });
  });

  describe('searching', () => {
    const search = async (wanted: object, path = '.') =>
      (await sandbox.search(path, { ignoreCase: false, ...wanted }, new AbortController().signal)).lines;
    const named = (end: string) => ({ name: (names: readonly string[]) => names.at(-1)?.endsWith(end) === true });

    it('finds names, of files and folders, from any folder', async () => {
      expect(await search(named('.txt'))).toEqual(['F a.txt', 'F sub/b.txt', 'F sub/out.txt']);
      expect(await search(named('deep'))).toEqual(['D sub/deep']);
      expect(await search(named('.txt'), 'sub')).toEqual(['F sub/b.txt', 'F sub/out.txt']);
    });

    it('finds text, a line each, and follows no link (FS-05)', async () => {
      writeFileSync(join(root, 'sub/c.txt'), 'one\n  two two\nthree two\n\nTwo');
      expect(await search({ text: 'two' })).toEqual(['sub/c.txt:2: two two', 'sub/c.txt:3: three two']);
      expect(await search({ text: 'two', ignoreCase: true })).toHaveLength(3);
      expect(await search({ text: 'SECRET' })).toEqual([]);
      expect(await search({ text: 'one\n  two' })).toEqual(['sub/c.txt:1: one']);
      expect(await search({ text: 'two' }, 'sub/c.txt')).toHaveLength(2);
      expect(await search({ text: 'below', ...named('c.txt') })).toEqual([]);
      await expect(search({ text: 'SECRET' }, 'out')).rejects.toThrow('Path leads outside the root');
      await expect(search({ text: 'SECRET' }, 'sub/out.txt')).rejects.toThrow('Path leads outside the root');
    });

    it('reports skipped folders and unreadable files', async () => {
      for (const folder of ['node_modules', '.git', 'sub/node_modules']) {
        mkdirSync(join(root, folder));
        writeFileSync(join(root, folder, 'x.txt'), 'below');
      }
      sandbox.discard('sub/b.txt');
      writeFileSync(join(root, 'image.bin'), Buffer.from([0xff, 0xfe]));
      writeFileSync(join(root, 'large'), 'x'.repeat(1024 * 1024 + 1));
      const wanted = { ignoreCase: false, text: 'below' };
      expect(await sandbox.search('', wanted, new AbortController().signal)).toEqual({
        lines: [],
        notes: [
          "Not searched: 2 that can't be read, are larger than 1 MB or are no text.",
          'Passed over: .git, .trash, node_modules. Give one as path to search it.',
        ],
      });
      expect(await search({ text: 'below' }, 'node_modules')).toEqual(['node_modules/x.txt:1: below']);
      expect(await search({ text: 'below' }, '.trash')).toHaveLength(1);
    });

    it('shows unusual names and long lines on one line each (FS-20)', async () => {
      writeFileSync(join(root, 'a\nb'), `${'x'.repeat(1000)}needle${'y'.repeat(1000)}\x1b[2J`);
      const [line = ''] = await search({ text: 'needle' });
      expect(line).toMatch(/^a\\nb:1: …x+needley+…$/);
      expect(line.length).toBeLessThan(230);
    });

    it('stops at the maximum number of matches, and reports it', async () => {
      writeFileSync(join(root, 'many'), 'x\n'.repeat(1000));
      const { lines, notes } = await sandbox.search(
        '.',
        { ignoreCase: false, text: 'x' },
        new AbortController().signal,
      );
      expect(lines).toHaveLength(200);
      expect(notes).toEqual(['Stopped: 200 found. Search more narrowly to see the rest.']);
    });

    it('stops when it is cancelled, and does not block the event loop', async () => {
      const before = isLinux ? openDescriptors(base) : [];
      const controller = new AbortController();
      // Each reading of the clock is late enough for the next pause, however fast the files are read.
      let time = performance.now();
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 20));
      try {
        for (let index = 0; index < 20; index++) writeFileSync(join(root, `sub/deep/${index}`), 'x');
        const found = sandbox.search('.', { ignoreCase: true, text: 'needle' }, controller.signal);
        setImmediate(() => controller.abort(new Error('changed my mind')));
        await expect(found).rejects.toThrow('changed my mind');
      } finally {
        clock.mockRestore();
      }
      if (isLinux) expect(openDescriptors(base)).toEqual(before);
    });
  });
});

/** The message of the FileError that is thrown, which must reveal nothing outside. */
function rejection(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(FileError);
    const { message } = error as FileError;
    expect(message).not.toMatch(/SECRET|\/proc\//);
    return message;
  }
  throw new Error('nothing was rejected');
}
