import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backupsOf, readConfigFile, removeConfigFile, restoreConfigFile, writeConfigFile } from './config-file.ts';
import { doctorIn, installIn, uninstallIn, testEnvironment } from '../../install/fixtures/environment.ts';

const now = new Date(0);

function fileWith(bytes: string | Buffer): string {
  const { home } = testEnvironment();
  mkdirSync(home, { recursive: true });
  const path = join(home, 'x.json');
  writeFileSync(path, bytes);
  return path;
}

describe('a configuration file', () => {
  it('is not overwritten if it changed meanwhile, and no temporary file remains', () => {
    const path = fileWith('old');
    const file = readConfigFile(path);
    writeFileSync(path, 'theirs');
    expect(() => writeConfigFile(file, 'ours', now)).toThrow(/was changed meanwhile/);
    expect(() => removeConfigFile(file)).toThrow(/was changed meanwhile/);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(join(path, '..')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('is not created over one that appeared meanwhile', () => {
    const path = fileWith('theirs');
    expect(() => writeConfigFile({ path, text: '', mark: '' }, 'ours', now)).toThrow(/was changed meanwhile/);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('has a backup per change, even in the same millisecond, newest first', () => {
    const path = fileWith('one');
    const first = writeConfigFile(readConfigFile(path), 'two', now);
    const second = writeConfigFile(readConfigFile(path), 'three', now);
    expect(backupsOf(path)).toEqual([second, first]);
    expect(backupsOf(path).map((copy) => readFileSync(copy, 'utf8'))).toEqual(['two', 'one']);
  });

  it('treats no other file as a backup', () => {
    const path = fileWith('one');
    writeFileSync(`${path}.bak-mine`, 'mine');
    writeFileSync(`${path}.bak`, 'mine');
    expect(backupsOf(path)).toEqual([]);
  });

  it('is restored from its backup, which is deleted', () => {
    const path = fileWith('one');
    const copy = writeConfigFile(readConfigFile(path), 'two', now) as string;
    restoreConfigFile(readConfigFile(path), readConfigFile(copy));
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(backupsOf(path)).toEqual([]);
  });

  it('must be UTF-8', () => {
    expect(() => readConfigFile(fileWith(Buffer.from([0x7b, 0xff, 0x7d])))).toThrow(/not written in UTF-8/);
  });
});

describe.skipIf(process.platform === 'win32')('a path that is not a regular file', () => {
  const makers: Record<string, (path: string) => void | Promise<void>> = {
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    'a device': (path) => symlinkSync('/dev/zero', path),
    'a folder': (path) => mkdirSync(path),
    'longer than 16 MiB': (path) => {
      writeFileSync(path, '{}');
      truncateSync(path, 16 * 1024 * 1024 + 1);
    },
    'a link to /no/such/place, which does not exist': (path) => symlinkSync('/no/such/place', path),
    'a socket': async (path) => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once('listening', resolve));
    },
  };

  async function worldWith(make: (path: string) => void | Promise<void>) {
    const environment = testEnvironment();
    const folder = join(environment.home, '.cursor');
    mkdirSync(folder, { recursive: true });
    mkdirSync(environment.cwd, { recursive: true });
    const path = join(folder, 'mcp.json');
    await make(path);
    return { environment, folder, path };
  }

  it.each(Object.entries(makers))('%s is rejected at once, and stays unchanged', async (what, make) => {
    const { environment, folder, path } = await worldWith(make);
    const before = lstatSync(path);
    expect(await installIn(['cursor', 'ccmcp'], environment)).toBe(1);
    expect(environment.stderr()).toContain(` is ${what}`);
    expect(await installIn(['cursor', 'ccmcp', '--dry-run'], environment)).toBe(1);
    expect(await uninstallIn(['cursor', 'ccmcp'], environment)).toBe(1);
    const after = lstatSync(path);
    expect({ ino: after.ino, mode: after.mode, size: after.size }).toEqual({
      ino: before.ino,
      mode: before.mode,
      size: before.size,
    });
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it.each(Object.entries(makers).filter(([what]) => !what.startsWith('a link')))(
    'the doctor does not wait for %s either',
    async (what, make) => {
      const { environment } = await worldWith(make);
      expect(await doctorIn(['cursor', '--timeout', '1'], environment)).toBe(1);
      expect(environment.printed()).toContain(` is ${what}`);
    },
  );

  it('has no backup to restore', async () => {
    const { environment, path } = await worldWith((place) => writeFileSync(place, '{}'));
    expect(await installIn(['cursor', 'ccmcp'], environment)).toBe(0);
    const [backup = ''] = backupsOf(path);
    rmSync(backup);
    execFileSync('mkfifo', [backup]);
    expect(await uninstallIn(['cursor', 'ccmcp'], environment)).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: {} });
    expect(lstatSync(backup).isFIFO()).toBe(true);
  });

  it('is not written if it is replaced while it is read', async () => {
    const path = fileWith('{}');
    const file = readConfigFile(path);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(() => writeConfigFile(file, '{"a":1}', now)).toThrow(/is a pipe/);
    expect(lstatSync(path).isFIFO()).toBe(true);
  });

  it('is rejected in a folder that is a dangling link, and nothing is created', async () => {
    const environment = testEnvironment();
    mkdirSync(environment.home, { recursive: true });
    const away = join(environment.home, 'away');
    symlinkSync(away, join(environment.home, '.cursor'));
    expect(await installIn(['cursor', 'ccmcp'], environment)).toBe(1);
    expect(environment.stderr()).toContain(`.cursor is a link to ${away}, which does not exist`);
    expect(existsSync(away)).toBe(false);
  });

  it('is left unchanged if its owner made it read-only', async () => {
    const { environment, path } = await worldWith((place) => writeFileSync(place, '{}'));
    chmodSync(path, 0o444);
    expect(await installIn(['cursor', 'ccmcp'], environment)).toBe(1);
    expect(environment.stderr()).toContain(`${path} may not be written`);
    expect(readFileSync(path, 'utf8')).toBe('{}');
  });

  it.skipIf(process.getuid?.() === 0)('is reported if it may not be read', async () => {
    const { environment, path } = await worldWith((place) => writeFileSync(place, '{}', { mode: 0o000 }));
    expect(await installIn(['cursor', 'ccmcp'], environment)).toBe(1);
    expect(environment.stderr()).toContain(`${path} may not be read`);
  });

  it("does not overwrite another process's draft", () => {
    const path = fileWith('old');
    const draft = `${path}.${process.pid}.new`;
    writeFileSync(draft, 'theirs');
    expect(() => writeConfigFile(readConfigFile(path), 'ours', now)).toThrow(/\.new is in the way/);
    expect(readFileSync(draft, 'utf8')).toBe('theirs');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(backupsOf(path)).toEqual([]);
  });
});
