import { describe, expect, it } from 'vitest';
import { serverNames } from '../servers/servers.ts';
import { commandGroups as groups, commands } from '../commands.ts';
import { completeWords } from './completion.ts';

/** The candidates for the last word. */
async function complete(...words: string[]): Promise<string[]> {
  const candidates = await completeWords(words, { groups });
  return candidates.found.map(({ word }) => word).filter((word) => word.startsWith(words.at(-1) ?? ''));
}

describe('completion of a command line', () => {
  it('offers commands and ready-made servers as the first word', async () => {
    const all = await complete('');
    for (const name of [...commands.map((command) => command.name), ...serverNames]) {
      expect(all).toContain(`${name.split(' ')[0]} `);
    }
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    [['cal'], ['call ']],
    [['call', 'moo'], ['moonphase ']],
    [['call', 'ccmcp', 'ad'], ['add ']],
    [
      ['call', 'ccmcp', 'add', ''],
      ['a=', 'b='],
    ],
    [['call', 'ccmcp', 'add', 'a=1', ''], ['b=']],
    [['call', '--json', '--era', 'handshake', 'ccmcp', 'ad'], ['add ']],
    [['call', 'notes', 'create'], ['create_note ']],
    [['read', 'ccmcp', 'help'], ['help://commands ']],
    [['read', 'notes', ''], []],
    [['list', 'ccmcp', 'to'], ['tools ']],
    [['list', '--er'], ['--era ']],
    [['call', '--det'], ['--detach ']],
    [['tasks', 'http://127.0.0.1:1/mcp', 'wa'], ['wait ']],
    [['tasks', 'http://127.0.0.1:1/mcp', 'wait', ''], []],
    [['list', '--cou'], []],
    [['listen', '--cou'], ['--count ']],
    [['call', '--era', 'h'], ['handshake ']],
    [['call', '--era=h'], ['--era=handshake ']],
    [['call', '--timeout', ''], []],
    [['notes', 'ex'], ['export ']],
    [['install', 'cur'], ['cursor ']],
    [['install', 'cursor', 'moo'], ['moonphase ']],
    [['install', '--dry'], ['--dry-run ']],
    [['doctor', '--proj'], ['--project ']],
    [['top', '--on'], ['--once ']],
    [['top', ''], []],
    [['moonphase', 'no'], ['notes ']],
    [['moonphase', '--htt'], ['--http ']],
    [['serve', 'x.js', '--wat'], ['--watch ']],
    [['completion', 'f'], ['fish ']],
    [
      ['new', 'weather', '--h'],
      ['--http ', '--help '],
    ],
    [['new', ''], []],
  ])('completes %j to %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it.each([
    [['call', ''], 'files'],
    [['serve', ''], 'files'],
    [['new', ''], 'folders'],
    [['call', 'ccmcp', 'x', '--out', ''], 'folders'],
    [['call', 'x', '--', 'node', ''], 'files'],
    [['call', 'ccmcp', ''], 'none'],
  ])('completes %j with %s', async (words, adds) => {
    expect((await completeWords(words, { groups })).paths).toBe(adds);
  });

  it('starts only ready-made servers', async () => {
    expect(await complete('call', './server.js', '')).toEqual([]);
    expect(await complete('call', 'http://127.0.0.1:1/mcp', '')).toEqual([]);
  });
});
