import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileError } from './file-error.ts';
import { openDescriptors } from './fixtures/open-descriptors.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

describe.each<[string, SandboxOptions]>([
  ['with held descriptors', {}],
  ['with checked paths', { withoutDescriptors: true }],
])('a sandbox %s', (_, options) => {
  let base: string;
  let root: string;
  let outside: string;
  let sandbox: Sandbox;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-')));
    root = join(base, 'root');
    outside = join(base, 'outside');
    for (const directory of [root, join(root, 'sub'), join(root, 'sub/deep'), outside, `${root}-secret`]) {
      mkdirSync(directory);
    }
    writeFileSync(join(root, 'a.txt'), 'inside\n');
    writeFileSync(join(root, 'sub/b.txt'), 'below');
    writeFileSync(join(outside, 'secret.txt'), 'SECRET');
    writeFileSync(join(outside, 'b.txt'), 'SECRET');
    writeFileSync(`${root}-secret/secret.txt`, 'SECRET');
    sandbox = openSandbox(root, options);
  });

  afterEach(() => {
    sandbox.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Distinct error messages for reading, writing and listing at this path. */
  function rejections(path: string): string[] {
    const messages = [
      rejection(() => sandbox.readFile(path)),
      rejection(() => sandbox.writeFile(path, 'x')),
      rejection(() => sandbox.listDirectory(path)),
    ];
    expectOutsideUntouched();
    return [...new Set(messages)];
  }

  function expectOutsideUntouched(): void {
    expect(readdirSync(outside).toSorted()).toEqual(['b.txt', 'secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
    expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('SECRET');
    expect(readdirSync(`${root}-secret`)).toEqual(['secret.txt']);
    expect(readFileSync(`${root}-secret/secret.txt`, 'utf8')).toBe('SECRET');
  }

  describe('paths', () => {
    it('reads by a relative path and by an absolute one (FS-01)', () => {
      expect(sandbox.readFile('a.txt')).toBe('inside\n');
      expect(sandbox.readFile('./sub//./b.txt')).toBe('below');
      expect(sandbox.readFile(join(root, 'sub/b.txt'))).toBe('below');
    });

    it('accepts its root as given and as resolved', () => {
      symlinkSync(root, join(base, 'alias'));
      const aliased = openSandbox(join(base, 'alias'), options);
      expect(aliased.readFile(join(base, 'alias/a.txt'))).toBe('inside\n');
      expect(aliased.readFile(join(root, 'a.txt'))).toBe('inside\n');
      aliased.close();
    });

    it.each(['..', '../outside/secret.txt', 'sub/../a.txt', 'sub/..', 'sub\\..\\a.txt', '..\\outside', '/../etc'])(
      'rejects the dot-dot path %s (FS-02, FS-29)',
      (path) => expect(rejections(path)).toEqual([`Path contains '..': ${path}`]),
    );

    it('rejects absolute paths outside, and a sibling with the same prefix (FS-03, FS-04)', () => {
      for (const path of ['/etc/passwd', '/', base, outside, `${root}-secret`, `${root}-secret/secret.txt`]) {
        expect(rejections(path)).toEqual([`Path leads outside the root: ${path}`]);
      }
    });

    it.each([
      '%2e%2e/outside/secret.txt',
      '..%2foutside%2fsecret.txt',
      '．．/outside/secret.txt',
      '..／outside／secret.txt',
      '․․/outside/secret.txt',
      '‥/outside/secret.txt',
      '..\u200b/outside/secret.txt',
      '.. /outside/secret.txt',
      '.../outside/secret.txt',
      '..;/outside/secret.txt',
      '\ud800../outside/secret.txt',
      'C:\\outside\\secret.txt',
      'file:///etc/passwd',
      '~/secret.txt',
      '~root/secret.txt',
      '$HOME/secret.txt',
    ])('accepts the unusual spelling %j as a plain name (FS-06, FS-07)', (path) => {
      expect(rejection(() => sandbox.readFile(path))).toMatch(/^(File|Directory) not found: /);
      if (path.includes('/')) expect(rejection(() => sandbox.writeFile(path, 'x'))).toMatch('Directory not found: ');
      expectOutsideUntouched();
    });

    it('rejects NUL bytes, empty and too long paths (FS-22)', () => {
      expect(rejections('a.txt\0.png')).toEqual(['Path contains a NUL byte: a.txt\\x00.png']);
      expect(rejection(() => sandbox.readFile(''))).toBe('Path is empty: give the path of a file inside the root');
      expect(rejection(() => sandbox.writeFile('', 'x'))).toMatch('Path is empty');
      expect(rejections('a/'.repeat(2048).concat('b'))).toEqual([
        `Path is longer than 4096 characters: ${'a/'.repeat(100)}…`,
      ]);
      expect(rejection(() => sandbox.readFile('x'.repeat(300)))).toBe(
        `A name in the path is too long: ${'x'.repeat(200)}…`,
      );
      expect(rejection(() => sandbox.readFile('a/'.repeat(2000).concat('b')))).toBe('Directory not found: a');
    });
  });

  describe('links', () => {
    it.each([
      ['to a file, absolute', () => join(outside, 'secret.txt'), ''],
      ['to a file, relative', () => '../outside/secret.txt', ''],
      ['to a directory', () => outside, '/secret.txt'],
      ['to a directory, relative', () => '../outside', '/secret.txt'],
      ['to the parent', () => '..', '/outside/secret.txt'],
      ['through the inside and out', () => 'sub/../../outside', '/secret.txt'],
      ['absolute through the root and out', () => `${root}/../outside`, '/secret.txt'],
      ['to a sibling with the same beginning', () => `${root}-secret`, '/secret.txt'],
      ['to nothing outside', () => join(base, 'nothing'), ''],
      ['to nothing outside, relative', () => '../nothing', ''],
    ])('a link %s leads nowhere (FS-05, FS-08, FS-09, FS-23)', (__, target, rest) => {
      symlinkSync(target(), join(root, 'link'));
      expect(rejections(`link${rest}`)).toEqual([`Path leads outside the root: link${rest}`]);
      expect(existsSync(join(base, 'nothing'))).toBe(false);
      expect(sandbox.listDirectory('.')).toContainEqual({ kind: 'F', name: 'link' });
    });

    it('follows links that stay inside', () => {
      symlinkSync('../a.txt', join(root, 'sub/up'));
      symlinkSync(join(root, 'sub'), join(root, 'absolute'));
      symlinkSync('absolute/deep/../up', join(root, 'long'));
      symlinkSync('.', join(root, 'self'));
      expect(sandbox.readFile('sub/up')).toBe('inside\n');
      expect(sandbox.readFile('absolute/b.txt')).toBe('below');
      expect(sandbox.readFile('long')).toBe('inside\n');
      expect(sandbox.readFile('self/self/a.txt')).toBe('inside\n');
      expect(sandbox.listDirectory('absolute')).toEqual(sandbox.listDirectory('sub'));
      expect(rejection(() => sandbox.readFile('self'))).toBe('Is a directory: self');
    });

    it('writes through a link that stays inside, and leaves the link', () => {
      symlinkSync('sub/b.txt', join(root, 'link'));
      symlinkSync('sub/new.txt', join(root, 'dangling'));
      sandbox.writeFile('link', 'one');
      sandbox.writeFile('dangling', 'two');
      expect(readFileSync(join(root, 'sub/b.txt'), 'utf8')).toBe('one');
      expect(readFileSync(join(root, 'sub/new.txt'), 'utf8')).toBe('two');
      expect(sandbox.readFile('link')).toBe('one');
    });

    it('stops at loops and at chains of more than 40 links (FS-18)', () => {
      symlinkSync('two', join(root, 'one'));
      symlinkSync('one', join(root, 'two'));
      expect(rejections('one')).toEqual(['Too many symbolic links in the path: one']);
      symlinkSync('a.txt', join(root, 'chain1'));
      for (let index = 2; index <= 41; index++) symlinkSync(`chain${index - 1}`, join(root, `chain${index}`));
      expect(sandbox.readFile('chain40')).toBe('inside\n');
      expect(rejections('chain41')).toEqual(['Too many symbolic links in the path: chain41']);
    });

    it('reports only the part of the path that the caller gave', () => {
      symlinkSync('sub/hidden-name/x', join(root, 'link'));
      expect(rejection(() => sandbox.readFile('link/y.txt'))).toBe('Directory not found: link');
    });
  });

  describe('reading', () => {
    it('reports missing files and directories', () => {
      expect(rejection(() => sandbox.readFile('no.txt'))).toBe('File not found: no.txt');
      expect(rejection(() => sandbox.readFile('sub/no/x.txt'))).toBe('Directory not found: sub/no');
      expect(rejection(() => sandbox.readFile('a.txt/x'))).toBe('Not a directory: a.txt');
      expect(rejection(() => sandbox.readFile('sub'))).toBe('Is a directory: sub');
      expect(rejection(() => sandbox.readFile('a.txt/'))).toBe('Is a directory: a.txt/');
      expect(rejection(() => sandbox.readFile('.'))).toBe('Is a directory: .');
      expect(rejection(() => sandbox.readFile(root))).toBe(`Is a directory: ${root}`);
    });

    it('keeps the text exactly, with a byte order mark', () => {
      const text = '\ufeffé☃😀\r\n\0';
      writeFileSync(join(root, 'text'), text);
      expect(sandbox.readFile('text')).toBe(text);
      writeFileSync(join(root, 'text'), '');
      expect(sandbox.readFile('text')).toBe('');
    });

    it('rejects files that are not UTF-8', () => {
      writeFileSync(join(root, 'image'), Buffer.from([0x89, 0x50, 0xff, 0xfe]));
      expect(rejection(() => sandbox.readFile('image'))).toBe(
        'Not a text file (its content is not valid UTF-8): image',
      );
    });

    it('reads up to 1 MB and not a byte more, whatever the size (FS-13)', () => {
      writeFileSync(join(root, 'big'), 'x'.repeat(1024 * 1024));
      expect(sandbox.readFile('big')).toHaveLength(1024 * 1024);
      for (const size of [1024 * 1024 + 1, 600 * 1024 * 1024]) {
        truncateSync(join(root, 'big'), size);
        expect(rejection(() => sandbox.readFile('big'))).toBe('File is larger than 1 MB: big');
      }
    });

    it.skipIf(!isLinux)('stops at 1 MB in a file that is larger than its size says', async () => {
      const variables = Array.from({ length: 12 }, (__, index) => [`V${index}`, 'x'.repeat(100_000)]);
      const child = spawn('sh', ['-c', 'echo ready; read line'], {
        env: { PATH: process.env['PATH'], ...Object.fromEntries(variables) },
      });
      // 'spawn' is emitted while the kernel still replaces the program: its environment reads empty until the program
      // runs.
      await once(child.stdout, 'data');
      const processFiles = openSandbox(`/proc/${child.pid}`, options);
      expect(statSync(`/proc/${child.pid}/environ`).size).toBe(0);
      expect(rejection(() => processFiles.readFile('environ'))).toBe('File is larger than 1 MB: environ');
      expect(processFiles.readFile('comm')).not.toBe('');
      processFiles.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    it('does not wait for FIFOs (FS-11, FS-12)', () => {
      execFileSync('sh', ['-c', 'mkfifo fifo'], { cwd: root });
      for (let round = 0; round < 8; round++) {
        expect(rejection(() => sandbox.readFile('fifo'))).toBe('Not a regular file: fifo');
        expect(rejection(() => sandbox.writeFile('fifo', 'x'))).toBe('Not a regular file: fifo');
      }
      expect(sandbox.listDirectory('')).toContainEqual({ kind: 'F', name: 'fifo' });
    });

    it('rejects sockets', async () => {
      const server = createServer().listen(join(root, 'socket'));
      await once(server, 'listening');
      expect(rejection(() => sandbox.readFile('socket'))).toBe('Not a regular file: socket');
      expect(rejection(() => sandbox.writeFile('socket', 'x'))).toBe('Not a regular file: socket');
      server.close();
      await once(server, 'close');
    });

    it.skipIf(!isLinux || !isRoot)('rejects devices (FS-30)', () => {
      execFileSync('sh', ['-c', 'mknod zero c 1 5'], { cwd: root });
      expect(rejection(() => sandbox.readFile('zero'))).toBe('Not a regular file: zero');
      expect(rejection(() => sandbox.writeFile('zero', 'x'))).toBe('Not a regular file: zero');
      expect(statSync(join(root, 'zero')).isCharacterDevice()).toBe(true);
    });
  });

  describe('writing', () => {
    it('creates a file, replaces it, and returns the number of bytes', () => {
      expect(sandbox.writeFile('sub/new.txt', 'é☃')).toBe(5);
      expect(sandbox.readFile('sub/new.txt')).toBe('é☃');
      expect(sandbox.writeFile('sub/new.txt', '')).toBe(0);
      expect(sandbox.readFile('sub/new.txt')).toBe('');
      expect(readdirSync(join(root, 'sub')).toSorted()).toEqual(['b.txt', 'deep', 'new.txt']);
    });

    it('creates no directories and reports the missing one', () => {
      expect(rejection(() => sandbox.writeFile('sub/x/y/z.txt', 'z'))).toBe('Directory not found: sub/x');
      expect(rejection(() => sandbox.writeFile('a.txt/z.txt', 'z'))).toBe('Not a directory: a.txt');
      expect(readdirSync(join(root, 'sub')).toSorted()).toEqual(['b.txt', 'deep']);
    });

    it('does not replace a directory', () => {
      expect(rejection(() => sandbox.writeFile('sub', 'x'))).toBe('Is a directory: sub');
      expect(rejection(() => sandbox.writeFile('new/', 'x'))).toBe('Is a directory: new/');
      expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'sub']);
    });

    it('keeps the mode of the file it replaces; a new one gets the default (FS-28)', () => {
      chmodSync(join(root, 'a.txt'), 0o751);
      sandbox.writeFile('a.txt', 'x');
      expect(statSync(join(root, 'a.txt')).mode & 0o7777).toBe(0o751);
      sandbox.writeFile('new.txt', 'x');
      expect(statSync(join(root, 'new.txt')).mode & 0o7777).toBe(0o666 & ~process.umask());
    });

    it('replaces a hard link and leaves the file outside as it was (FS-26)', () => {
      linkSync(join(outside, 'secret.txt'), join(root, 'hard'));
      sandbox.writeFile('hard', 'mine');
      expect(sandbox.readFile('hard')).toBe('mine');
      expectOutsideUntouched();
    });

    it('accepts names as long as the file system allows', () => {
      const name = 'é'.repeat(127);
      expect(sandbox.writeFile(name, 'x')).toBe(1);
      expect(sandbox.listDirectory('.')).toContainEqual({ kind: 'F', name });
    });

    it('respects permissions and leaves no temporary file when it fails', () => {
      mkdirSync(join(root, 'locked'), { mode: 0o555 });
      writeFileSync(join(root, 'read-only'), 'old', { mode: 0o444 });
      writeFileSync(join(root, 'private'), 'old', { mode: 0o000 });
      for (const directory of [base, root]) chmodSync(directory, 0o777);
      asOrdinaryUser(() => {
        expect(rejection(() => sandbox.writeFile('locked/x', 'x'))).toBe('Permission denied: locked/x');
        expect(rejection(() => sandbox.writeFile('read-only', 'x'))).toBe('Permission denied: read-only');
        expect(rejection(() => sandbox.readFile('private'))).toBe('Permission denied: private');
        expect(sandbox.readFile('read-only')).toBe('old');
      });
      expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });
  });

  describe('listing', () => {
    it('shows one level, sorted by code units, with kinds', () => {
      for (const name of ['B', 'b', 'é', '.hidden', '10', '9']) writeFileSync(join(root, name), '');
      symlinkSync('sub', join(root, 'to-dir'));
      symlinkSync('a.txt', join(root, 'to-file'));
      symlinkSync('nowhere', join(root, 'to-nothing'));
      const lines = sandbox.listDirectory('.').map(({ kind, name }) => `${kind} ${name}`);
      expect(lines).toEqual([
        'F .hidden',
        'F 10',
        'F 9',
        'F B',
        'F a.txt',
        'F b',
        'D sub',
        'D to-dir',
        'F to-file',
        'F to-nothing',
        'F é',
      ]);
      expect(sandbox.listDirectory('')).toEqual(sandbox.listDirectory(root));
      expect(sandbox.listDirectory('sub/deep')).toEqual([]);
    });

    it('reports missing directories and files', () => {
      expect(rejection(() => sandbox.listDirectory('no'))).toBe('Directory not found: no');
      expect(rejection(() => sandbox.listDirectory('no/no'))).toBe('Directory not found: no');
      expect(rejection(() => sandbox.listDirectory('a.txt'))).toBe('Not a directory: a.txt');
    });

    it('lists unusual names on one line each (FS-20)', () => {
      const names = ['a\nD forged', 'b\r\t\x1b[2J', 'c\u2028\u202ed', 'e\\n', 'f\'"$(x)'];
      for (const name of names) writeFileSync(join(root, 'sub/deep', name), '');
      if (isLinux) writeFileSync(Buffer.concat([Buffer.from(join(root, 'sub/deep/g')), Buffer.from([0xff])]), '');
      expect(sandbox.listDirectory('sub/deep').map(({ name }) => name)).toEqual([
        'a\\nD forged',
        'b\\r\\t\\x1b[2J',
        'c\\u2028\\u202ed',
        'e\\n',
        'f\'"$(x)',
        ...(isLinux ? ['g\ufffd'] : []),
      ]);
    });
  });

  describe('the root', () => {
    it('must be a directory', () => {
      expect(() => openSandbox(join(root, 'no'), options)).toThrow('ENOENT');
      expect(() => openSandbox(join(root, 'a.txt'), options)).toThrow('ENOTDIR');
    });

    it('is an error if it is removed while running (FS-24)', () => {
      rmSync(root, { recursive: true, maxRetries: 10 });
      expect(rejections('sub')).toEqual(['The root directory was removed or replaced: restart the server']);
      mkdirSync(root);
      expect(rejections('sub')).toEqual(['The root directory was removed or replaced: restart the server']);
    });

    it('is not followed if it is replaced by a link to outside (FS-25)', () => {
      renameSync(root, join(base, 'moved'));
      symlinkSync(outside, root);
      for (const path of ['secret.txt', 'b.txt', 'new.txt', root]) {
        expect(rejections(path)).toEqual(['The root directory was removed or replaced: restart the server']);
      }
    });

    it('may be the root of the file system', () => {
      const everything = openSandbox('/', options);
      expect(everything.readFile(join(root, 'a.txt'))).toBe('inside\n');
      expect(everything.readFile(join(root, 'a.txt').slice(1))).toBe('inside\n');
      everything.close();
    });
  });

  it.skipIf(!isLinux)('closes all descriptors, also after errors', () => {
    symlinkSync('sub/deep', join(root, 'link'));
    symlinkSync(outside, join(root, 'sub/deep/out'));
    const before = openDescriptors(base);
    for (let round = 0; round < 50; round++) {
      sandbox.writeFile('link/x', 'x');
      sandbox.readFile('link/x');
      sandbox.listDirectory('link');
      for (const path of ['link/out/x', 'sub/deep/no/x', 'link/no', 'a.txt/x']) rejection(() => sandbox.readFile(path));
      rejection(() => sandbox.writeFile('link', 'x'));
      rejection(() => sandbox.listDirectory('link/x'));
    }
    expect(openDescriptors(base)).toEqual(before);
  });
});

/** Root has all permissions, so tests of permissions run as another user. */
function asOrdinaryUser(work: () => void): void {
  if (!isRoot) return work();
  process.seteuid?.(65534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}

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
