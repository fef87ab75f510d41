import { mkdtempSync, readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recentServers, pageSettingsStore } from './inspector-state.ts';

function newPlace(name: string) {
  const state = mkdtempSync(join(tmpdir(), 'ccmcp-inspector-'));
  const place = { env: { XDG_STATE_HOME: state }, platform: 'linux' as const };
  const folder = join(state, 'ccmcp/inspector');
  return { place, folder, file: join(folder, name) };
}

describe('the last inspected targets', () => {
  it('are listed once each, the newest first', async () => {
    const { place } = newPlace('last.json');
    const last = recentServers('/a', place);
    await Promise.all(['./one.js', 'https://example.com/mcp', './one.js'].map((typed) => last.add(typed)));
    expect(await recentServers('/a', place).list()).toEqual(['./one.js', 'https://example.com/mcp']);
  });

  it('are offered if they mean the same: files and commands in their folder, URLs everywhere', async () => {
    const { place } = newPlace('last.json');
    await recentServers('/a', place).add('node server.js');
    await recentServers('/a', place).add('https://example.com/mcp');
    expect(await recentServers('/b', place).list()).toEqual(['https://example.com/mcp']);
  });

  it('are bounded', async () => {
    const { place } = newPlace('last.json');
    const last = recentServers('/a', place);
    for (let each = 1; each <= 30; each += 1) await last.add(`./${each}.js`);
    expect(await last.list()).toEqual([30, 29, 28, 27, 26, 25, 24, 23].map((each) => `./${each}.js`));
  });

  it('are stored without secrets, in a private file', async () => {
    const { place, file } = newPlace('last.json');
    const last = recentServers('/a', place);
    await last.add('https://example.com/mcp?access_token=abcdefgh12345678');
    await last.add('npx some-server --api-key=abcdefgh12345678');
    await last.add('npx some-server');
    expect(readFileSync(file, 'utf8')).not.toContain('abcdefgh');
    expect(await last.list()).toEqual(['npx some-server']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are empty if the file is damaged, which the next write repairs', async () => {
    const { place, file } = newPlace('last.json');
    const last = recentServers('/a', place);
    await last.add('./one.js');
    writeFileSync(file, '{"last":[7,{"typed":1},');
    expect(await last.list()).toEqual([]);
    await last.add('./two.js');
    expect(await last.list()).toEqual(['./two.js']);
  });
});

describe('the settings of the inspector page', () => {
  it('are restored the next time, on any port, from a private file', async () => {
    const { place, file } = newPlace('look.json');
    const store = await pageSettingsStore(place);
    expect(store.saved).toEqual({});
    await Promise.all([store.save({ theme: 'light' }), store.save({ theme: 'dark', servers: 300 })]);
    expect((await pageSettingsStore(place)).saved).toEqual({ theme: 'dark', servers: 300 });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are the defaults if the file is damaged, which the next change repairs', async () => {
    const { place, folder, file } = newPlace('look.json');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, '{"theme":"da', { mode: 0o600 });
    const store = await pageSettingsStore(place);
    expect(store.saved).toEqual({});
    await store.save({ theme: 'dark' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' });
  });

  it('are not stored if the folder can not be created, without an error', async () => {
    const { place, folder } = newPlace('look.json');
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a file');
    const store = await pageSettingsStore(place);
    await store.save({ theme: 'dark' });
    expect((await pageSettingsStore(place)).saved).toEqual({});
  });
});
