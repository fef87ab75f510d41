import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recentServers } from './inspector-state.ts';

function newPlace() {
  const state = mkdtempSync(join(tmpdir(), 'ccmcp-last-'));
  const place = { env: { XDG_STATE_HOME: state }, platform: 'linux' as const };
  return { place, file: join(state, 'ccmcp/inspector/last.json') };
}

describe('what was inspected last', () => {
  it('comes with the newest first, each once', async () => {
    const { place } = newPlace();
    const last = recentServers('/a', place);
    await Promise.all(['./one.js', 'https://example.com/mcp', './one.js'].map((typed) => last.add(typed)));
    expect(await recentServers('/a', place).list()).toEqual(['./one.js', 'https://example.com/mcp']);
  });

  it('is offered where it means the same: files and commands in their folder, addresses everywhere', async () => {
    const { place } = newPlace();
    await recentServers('/a', place).add('node server.js');
    await recentServers('/a', place).add('https://example.com/mcp');
    expect(await recentServers('/b', place).list()).toEqual(['https://example.com/mcp']);
  });

  it('is bounded', async () => {
    const { place } = newPlace();
    const last = recentServers('/a', place);
    for (let each = 1; each <= 30; each += 1) await last.add(`./${each}.js`);
    expect(await last.list()).toEqual([30, 29, 28, 27, 26, 25, 24, 23].map((each) => `./${each}.js`));
  });

  it('has no secrets, and is its owner’s alone', async () => {
    const { place, file } = newPlace();
    const last = recentServers('/a', place);
    await last.add('https://example.com/mcp?access_token=abcdefgh12345678');
    await last.add('npx some-server --api-key=abcdefgh12345678');
    await last.add('npx some-server');
    expect(readFileSync(file, 'utf8')).not.toContain('abcdefgh');
    expect(await last.list()).toEqual(['npx some-server']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is nothing where the file is damaged, which the next one mends', async () => {
    const { place, file } = newPlace();
    const last = recentServers('/a', place);
    await last.add('./one.js');
    writeFileSync(file, '{"last":[7,{"typed":1},');
    expect(await last.list()).toEqual([]);
    await last.add('./two.js');
    expect(await last.list()).toEqual(['./two.js']);
  });
});
