import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { historyFile, openHistory } from './history.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ccmcp-history-'));
  file = join(folder, 'deep', 'history');
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, maxRetries: 10 }));
});

function open(path = file) {
  return openHistory({ CCMCP_HISTORY: path }, process.platform);
}

describe('the history of the shell', () => {
  it('is restored in the next shell, newest first', () => {
    const { record } = open();
    expect([record('list'), record('call add a=1')]).toEqual([true, true]);
    open().record('ping');
    expect(open().lines).toEqual(['ping', 'call add a=1', 'list']);
  });

  it.skipIf(process.platform === 'win32')('is a file of its owner alone', () => {
    open().record('list');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  });

  it.each([
    ' call add a=1',
    'call login password=x',
    'call login api_key=x',
    'call fetch "headers=Authorization: Bearer x"',
    'call set githubToken=x',
    `call write text=${'x'.repeat(20_000)}`,
  ])('does not record secrets or data: %s', (line) => {
    const { record, lines } = open();
    expect(record(line)).toBe(false);
    expect([...lines, ...open().lines]).toEqual([]);
  });

  it('is bounded', () => {
    writeFileSync(join(folder, 'long'), Array.from({ length: 5000 }, (_, index) => `call f n=${index}\n`).join(''));
    expect(open(join(folder, 'long')).lines).toHaveLength(1000);
    const left = readFileSync(join(folder, 'long'), 'utf8').trimEnd().split('\n');
    expect([left.length, left.at(-1)]).toEqual([1000, 'call f n=4999']);
  });

  it('returns no control sequences', () => {
    writeFileSync(join(folder, 'bad'), 'list\n\u001B[2J\nping\n');
    expect(open(join(folder, 'bad')).lines).toEqual(['ping', 'list']);
  });

  it.skipIf(process.platform === 'win32')('is not written through a link', () => {
    writeFileSync(join(folder, 'other'), 'mine\n');
    symlinkSync(join(folder, 'other'), join(folder, 'link'));
    const history = open(join(folder, 'link'));
    expect([history.lines, history.record('list')]).toEqual([[], true]);
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('mine\n');
  });

  it('is skipped if its file can not be read or written', () => {
    const { lines, record } = open(folder);
    expect([lines, record('list')]).toEqual([[], true]);
  });

  it.each([
    [{ CCMCP_HISTORY: '' }, 'linux', undefined],
    [{ CCMCP_HISTORY: '/x' }, 'linux', '/x'],
    [{ XDG_STATE_HOME: '/state' }, 'linux', join('/state', 'ccmcp', 'shell-history')],
    [{}, 'linux', join(homedir(), '.local', 'state', 'ccmcp', 'shell-history')],
    [{}, 'darwin', join(homedir(), 'Library', 'Application Support', 'ccmcp', 'shell-history')],
    [{ LOCALAPPDATA: '/local' }, 'win32', join('/local', 'ccmcp', 'shell-history')],
  ] as const)('lies where such things lie: with %j on %s', (env, platform, expected) => {
    expect(historyFile(env, platform)).toBe(expected);
  });
});
