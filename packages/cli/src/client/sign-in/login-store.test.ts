import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type KeychainKind, openKeychain } from './keychain.ts';
import { openLoginStore } from './login-store.ts';

type SystemKind = Exclude<KeychainKind, 'variable'>;

const key = { issuer: 'https://login.example', resource: 'https://api.example/mcp' };
const way = { url: 'https://api.example/mcp' };
const grant = { tokens: { accessToken: 'secret-access', refreshToken: 'secret-refresh' }, scope: 'a' };

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-login-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** An environment without a keychain. */
function place(env: Record<string, string> = {}) {
  const folder = join(emptyFolder(), 'logins');
  return { folder, env: { CCMCP_LOGINS: folder, PATH: '', ...env }, platform: 'linux' as const };
}

/** A fake keychain program that stores secrets in a folder and records its arguments. */
function fakeKeychain(kind: SystemKind): { program: string; calls: () => string; folder: string } {
  const folder = emptyFolder();
  const program = join(folder, 'program');
  const take = `const { readFileSync, writeFileSync, rmSync, appendFileSync } = require('node:fs');
    const args = process.argv.slice(2);
    appendFileSync(${JSON.stringify(join(folder, 'calls'))}, args.join(' ') + '\\n');
    const file = (name) => ${JSON.stringify(join(folder, 'kept-'))} + name;
    const find = (name, code) => { try { process.stdout.write(readFileSync(file(name), 'utf8') + '\\n'); } catch { process.exitCode = code; } };
    const stdin = () => readFileSync(0, 'utf8');`;
  const ways: Record<SystemKind, string> = {
    libsecret: `const name = args.at(-1);
      if (args[0] === 'store') writeFileSync(file(name), stdin());
      if (args[0] === 'lookup') find(name, 1);
      if (args[0] === 'clear') rmSync(file(name));`,
    macos: `if (args[0] === '-i') { const [, name, secret] = / -a (\\S+) -w (\\S+)\\n$/.exec(stdin()); writeFileSync(file(name), secret); }
      const name = args[args.indexOf('-a') + 1];
      if (args[0] === 'find-generic-password') find(name, 44);
      if (args[0] === 'delete-generic-password') rmSync(file(name));`,
    dpapi: `const flipped = [...stdin().trim()].reverse().join(''); process.stdout.write(flipped);`,
  };
  writeFileSync(program, `#!${process.execPath}\n${take}\n${ways[kind]}`, { mode: 0o755 });
  return { program, folder, calls: () => readFileSync(join(folder, 'calls'), 'utf8') };
}

describe('a login', () => {
  it('is available to another process, in a file that only its owner can read', async () => {
    const where = place();
    await openLoginStore(where).set(key, grant, way);
    expect(await openLoginStore(where).get(key)).toEqual(grant);
    const [file = ''] = readdirSync(where.folder);
    const modes = [where.folder, join(where.folder, file)].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  it('is found by the URL of its server, or a parent of it', async () => {
    const logins = openLoginStore(place());
    await logins.set(key, grant, { url: 'https://api.example/mcp', clientId: 'c', callbackPort: 1234 });
    const found = async (url: string) => (await logins.find(new URL(url))).login;
    expect(await found('https://api.example/mcp')).toMatchObject({ ...key, clientId: 'c', callbackPort: 1234 });
    expect(await found('https://api.example/mcp/more')).toMatchObject(key);
    for (const other of ['https://api.example/', 'https://api.example/mcps', 'http://api.example/mcp']) {
      expect(await found(other)).toBeUndefined();
    }
  });

  it('is not found under another issuer, or after it is deleted', async () => {
    const where = place();
    const logins = openLoginStore(where);
    await logins.set(key, grant, way);
    expect(await logins.get({ ...key, issuer: 'https://evil.example' })).toBeUndefined();
    await logins.delete(key);
    expect([await logins.get(key), readdirSync(where.folder)]).toEqual([undefined, []]);
  });

  it.each([
    ['others may read', 0o644, 'mode 0644'],
    ['others may write', 0o620, 'mode 0620'],
  ])('is not used if its file %s, with a remedy', async (_, mode, said) => {
    const where = place();
    await openLoginStore(where).set(key, grant, way);
    const [file = ''] = readdirSync(where.folder);
    chmodSync(join(where.folder, file), mode);
    await expect(openLoginStore(where).get(key)).rejects.toThrow(said);
    await expect(openLoginStore(where).get(key)).rejects.toThrow('chmod 600');
    expect(await openLoginStore(where).list()).toMatchObject({ logins: [], problems: [expect.stringContaining(said)] });
  });

  it('is neither used nor written in a folder that others can access', async () => {
    const where = place();
    mkdirSync(where.folder, { mode: 0o755 });
    await expect(openLoginStore(where).get(key)).rejects.toThrow('chmod 700');
    await expect(openLoginStore(where).set(key, grant, way)).rejects.toThrow('chmod 700');
    expect(readdirSync(where.folder)).toEqual([]);
  });

  it('is not read through a link', async () => {
    const where = place();
    await openLoginStore(where).set(key, grant, way);
    const [file = ''] = readdirSync(where.folder);
    const elsewhere = join(emptyFolder(), 'login');
    writeFileSync(elsewhere, readFileSync(join(where.folder, file)), { mode: 0o600 });
    rmSync(join(where.folder, file));
    symlinkSync(elsewhere, join(where.folder, file));
    await expect(openLoginStore(where).get(key)).rejects.toThrow('is a link');
  });

  it.each([
    ['', 'is damaged'],
    ['{"format":1', 'is damaged'],
    ['[]', 'is damaged'],
    ['{"format":1,"issuer":1}', 'is damaged'],
    ['{"format":7}', 'newer version'],
    [
      JSON.stringify({ format: 1, issuer: 'https://evil.example', resource: key.resource, url: way.url, grant }),
      'is damaged',
    ],
    ['x'.repeat(2_000_000), 'longer than any such file'],
  ])('is reported as a problem if its file contains %.20j', async (text, said) => {
    const where = place();
    await openLoginStore(where).set(key, grant, way);
    const [file = ''] = readdirSync(where.folder);
    writeFileSync(join(where.folder, file), text);
    await expect(openLoginStore(where).get(key)).rejects.toThrow(said);
  });

  it('is written atomically: readers see the old or the new file', async () => {
    const where = place();
    await openLoginStore(where).set(key, grant, way);
    const long = { ...grant, scope: 'x'.repeat(200_000) };
    const writing = Promise.all(Array.from({ length: 20 }, () => openLoginStore(where).set(key, long, way)));
    let reading = 0;
    for (let done = false; !done; reading += 1) {
      const read = openLoginStore(where).get(key);
      done = await Promise.race([writing.then(() => true), read.then(() => false)]);
    }
    expect(reading).toBeGreaterThan(0);
    expect(await openLoginStore(where).get(key)).toEqual(long);
    expect(readdirSync(where.folder)).toHaveLength(1);
  });
});

describe('with CCMCP_LOGINS_KEY', () => {
  const secret = 'a secret of the operator, 32 or more';

  it('a login is encrypted, and readable with the same value only', async () => {
    const where = place({ CCMCP_LOGINS_KEY: secret });
    expect(await openLoginStore(where).set(key, grant, way)).toBeUndefined();
    expect(await openLoginStore(where).get(key)).toEqual(grant);
    const [file = ''] = readdirSync(where.folder);
    expect(readFileSync(join(where.folder, file), 'utf8')).not.toContain('secret-');
    const other = { ...where, env: { ...where.env, CCMCP_LOGINS_KEY: `other ${secret}` } };
    await expect(openLoginStore(other).get(key)).rejects.toThrow(
      'the variable CCMCP_LOGINS_KEY says "it has another value than when the login was stored"',
    );
  });

  it('a value that is too short is reported, and not used', async () => {
    const warning = await openLoginStore(place({ CCMCP_LOGINS_KEY: 'short' })).set(key, grant, way);
    expect(warning).toContain('must have at least 32 characters');
  });
});

describe('the logins of a caller', () => {
  it('are separate from those of the user and of other callers, also in the keychain', async () => {
    const { program } = fakeKeychain('libsecret');
    const where = place();
    const stores = [undefined, 'ann', 'bob'].map((owner) => openLoginStore(where, { libsecret: program }, owner));
    for (const [each, logins] of stores.entries()) {
      await logins.set(key, { ...grant, scope: String(each) }, way);
    }
    const scopes = await Promise.all(stores.map(async (logins) => (await logins.get(key))?.scope));
    expect(scopes).toEqual(['0', '1', '2']);
    expect((await openLoginStore(where).list()).logins).toHaveLength(1);
    await stores[1]?.delete(key);
    expect(await stores[1]?.get(key)).toBeUndefined();
    expect(await stores[2]?.get(key)).toMatchObject({ scope: '2' });
  });

  it('can not be read by another caller if the file is moved', async () => {
    const where = place({ CCMCP_LOGINS_KEY: 'a secret of the operator, 32 or more' });
    await openLoginStore(where, {}, 'ann').set(key, grant, way);
    await openLoginStore(where, {}, 'bob').set(key, { ...grant, scope: 'bob' }, way);
    const folders = readdirSync(join(where.folder, 'callers')).map((name) => join(where.folder, 'callers', name));
    const [one = '', other = ''] = folders.map((folder) => join(folder, readdirSync(folder)[0] ?? ''));
    const swapped = readFileSync(one);
    writeFileSync(one, readFileSync(other));
    writeFileSync(other, swapped);
    await expect(openLoginStore(where, {}, 'ann').get(key)).rejects.toThrow(/can't be (used|opened)/);
  });
});

describe.each<SystemKind>(['libsecret', 'macos', 'dpapi'])('with the keychain %s', (kind) => {
  const platform = ({ libsecret: 'linux', macos: 'darwin', dpapi: 'win32' } as const)[kind];

  it('a login is readable with its key only, and no secret is in the arguments of a program', async () => {
    const where = { ...place(), platform };
    const { program, calls, folder } = fakeKeychain(kind);
    const logins = openLoginStore(where, { [kind]: program });
    await logins.set(key, grant, way);
    expect(await logins.get(key)).toEqual(grant);
    const [file = ''] = readdirSync(where.folder);
    const text = readFileSync(join(where.folder, file), 'utf8');
    expect(text).not.toMatch(/secret-/);
    const kept = readdirSync(folder).filter((name) => name.startsWith('kept-'));
    const secrets = kept.map((name) => readFileSync(join(folder, name), 'utf8').trim());
    expect(secrets).toHaveLength(kind === 'dpapi' ? 0 : 1);
    for (const secret of [...secrets, 'secret-access', 'secret-refresh']) expect(calls()).not.toContain(secret);
    expect(calls()).not.toMatch(/[0-9a-f]{64}/);
  });

  it('a login keeps its key when it is refreshed, and deletes it when it is deleted', async () => {
    const where = { ...place(), platform };
    const { program, folder } = fakeKeychain(kind);
    const logins = openLoginStore(where, { [kind]: program });
    const kept = () => readdirSync(folder).filter((name) => name.startsWith('kept-'));
    await logins.set(key, grant, way);
    const secrets = kept().map((name) => readFileSync(join(folder, name), 'utf8'));
    await logins.set(key, { ...grant, scope: 'b' }, way);
    expect(await logins.get(key)).toMatchObject({ scope: 'b' });
    expect(kept().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(secrets);
    await logins.delete(key);
    expect([kept(), readdirSync(where.folder)]).toEqual([[], []]);
  });

  it('a tampered login is rejected', async () => {
    const where = { ...place(), platform };
    const { program } = fakeKeychain(kind);
    const logins = openLoginStore(where, { [kind]: program });
    await logins.set(key, grant, way);
    const [file = ''] = readdirSync(where.folder);
    const path = join(where.folder, file);
    const record = JSON.parse(readFileSync(path, 'utf8')) as { sealed: string };
    const sealed = `${record.sealed.slice(0, -8)}AAAAAAA=`;
    writeFileSync(path, JSON.stringify({ ...record, sealed }));
    await expect(logins.get(key)).rejects.toThrow(
      "can't be used: it was changed, or its key was. Sign in again: ccmcp login",
    );
  });
});

describe('a keychain', () => {
  it('without the key is reported', async () => {
    const where = place();
    const { program, folder } = fakeKeychain('libsecret');
    const logins = openLoginStore(where, { libsecret: program });
    await logins.set(key, grant, way);
    for (const name of readdirSync(folder).filter((each) => each.startsWith('kept-'))) rmSync(join(folder, name));
    await expect(logins.get(key)).rejects.toThrow('its key is no longer in the keyring of this desktop (libsecret)');
  });

  it('that fails is skipped, with a message', async () => {
    const program = join(emptyFolder(), 'secret-tool');
    writeFileSync(program, '#!/bin/sh\necho "Cannot autolaunch D-Bus" >&2\nexit 1\n', { mode: 0o755 });
    const where = place();
    const said = await openLoginStore(where, { libsecret: program }).set(key, grant, way);
    expect(said).toContain(
      "can't be used (Cannot autolaunch D-Bus), so the login is stored in a file that only you can read",
    );
    expect(await openLoginStore(where, { libsecret: program }).get(key)).toEqual(grant);
    await expect(openKeychain('libsecret', where, { libsecret: program })?.find('x', '')).rejects.toThrow('D-Bus');
  });

  it('is searched on the PATH, not in relative folders, and can be disabled', async () => {
    const { program } = fakeKeychain('libsecret');
    const bin = emptyFolder();
    symlinkSync(program, join(bin, 'secret-tool'));
    const isSealed = async (env: Record<string, string>): Promise<boolean> => {
      const where = place(env);
      await openLoginStore(where).set(key, grant, way);
      const [file = ''] = readdirSync(where.folder);
      return !readFileSync(join(where.folder, file), 'utf8').includes('secret-access');
    };
    expect(await isSealed({ PATH: `/nowhere:${bin}` })).toBe(true);
    expect(await isSealed({ PATH: '.:' })).toBe(false);
    expect(await isSealed({ PATH: bin, CCMCP_KEYCHAIN: 'none' })).toBe(false);
  });
});
