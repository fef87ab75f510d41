import { describe, expect, it } from 'vitest';
import { foldRevisions } from './fixtures/fold-revisions.ts';
import { handshake } from './2024-11-05.ts';
import type { Changes } from './revision.ts';
import { stateless } from './stateless.ts';

const first: Changes = {
  version: '1',
  mode: handshake,
  adds: { requests: ['a', 'b'], notifications: ['n'], questions: ['q'] },
};

describe('folding changes into revisions', () => {
  it('adds and drops names from one revision to the next, without touching earlier ones', () => {
    const [one, two, three] = foldRevisions([
      first,
      { version: '2', adds: { requests: ['c'] }, drops: { requests: ['a'], questions: ['q'] } },
      { version: '3', adds: { requests: ['a'], notifications: ['m'] }, drops: { notifications: ['n'] } },
    ]);
    expect([...(one?.requests ?? [])]).toEqual(['a', 'b']);
    expect([...(two?.requests ?? [])]).toEqual(['b', 'c']);
    expect([...(three?.requests ?? [])]).toEqual(['b', 'c', 'a']);
    expect([one, two, three].map((revision) => [...(revision?.questions ?? [])])).toEqual([['q'], [], []]);
    expect([one, two, three].map((revision) => [...(revision?.notifications ?? [])])).toEqual([['n'], ['n'], ['m']]);
  });

  it('keeps the mode of an era until the next one begins', () => {
    const eras = foldRevisions([first, { version: '2' }, { version: '3', mode: stateless }, { version: '4' }]);
    expect(eras.map(({ era, asksBy }) => [era, asksBy])).toEqual([
      ['handshake', 'request'],
      ['handshake', 'request'],
      ['stateless', 'result'],
      ['stateless', 'result'],
    ]);
  });

  it('keeps whether there are batches until a change', () => {
    const history = [first, { version: '2', batches: true }, { version: '3' }, { version: '4', batches: false }];
    expect(foldRevisions(history).map(({ batches }) => batches)).toEqual([false, true, true, false]);
  });

  it('keeps error codes that changed their meaning', () => {
    const [one, two, three] = foldRevisions([
      first,
      { version: '2', codes: [[1, 2]] },
      { version: '3', codes: [[3, 4]] },
    ]);
    expect([...(one?.codes ?? [])]).toEqual([]);
    expect([...(two?.codes ?? [])]).toEqual([[1, 2]]);
    expect([...(three?.codes ?? [])]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('downgrades by undoing the changes of later revisions, the newest first', () => {
    const undoing = (version: string): Changes => ({
      version,
      downgrade: { 'prompts/get': (result) => ({ ...result, description: `${result.description}${version}` }) },
    });
    const results = foldRevisions([first, undoing('2'), { version: '3' }, undoing('4')]).map(
      ({ downgrade }) => downgrade['prompts/get']?.({ description: '>', messages: [] }).description,
    );
    expect(results).toEqual(['>42', '>4', '>4', undefined]);
  });

  it('passes the facts of a result to every step', () => {
    const seen: unknown[] = [];
    const step: Changes['downgrade'] = {
      'tools/call': (result, about) => {
        seen.push(about);
        return result;
      },
    };
    const [oldest] = foldRevisions([first, { version: '2', downgrade: step }, { version: '3', downgrade: step }]);
    const about = { outputSchema: { type: 'object' } };
    oldest?.downgrade['tools/call']?.({ content: [], isError: false }, about);
    expect(seen).toEqual([about, about]);
  });

  it('rejects a history without a mode', () => {
    expect(() => foldRevisions([{ version: '1' }])).toThrow('The first revision must name its mode');
  });
});
