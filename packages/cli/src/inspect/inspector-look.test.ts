import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { savedLook } from './inspector-state.ts';

function newPlace() {
  const state = mkdtempSync(join(tmpdir(), 'ccmcp-look-'));
  const place = { env: { XDG_STATE_HOME: state }, platform: 'linux' as const };
  return { place, folder: join(state, 'ccmcp/inspector'), file: join(state, 'ccmcp/inspector/look.json') };
}

describe('how the page looked', () => {
  it('is there the next time, whatever the port is, and its owner’s alone', async () => {
    const { place, file } = newPlace();
    const look = await savedLook(place);
    expect(look.last).toEqual({});
    await Promise.all([look.keep({ theme: 'light' }), look.keep({ theme: 'dark', servers: 300 })]);
    expect((await savedLook(place)).last).toEqual({ theme: 'dark', servers: 300 });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is as usual where the file is damaged, which the next change mends', async () => {
    const { place, folder, file } = newPlace();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, '{"theme":"da', { mode: 0o600 });
    const look = await savedLook(place);
    expect(look.last).toEqual({});
    await look.keep({ theme: 'dark' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' });
  });

  it('is not kept where there is no place for it, and nothing fails', async () => {
    const { place, folder } = newPlace();
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a file');
    const look = await savedLook(place);
    await look.keep({ theme: 'dark' });
    expect((await savedLook(place)).last).toEqual({});
  });
});
