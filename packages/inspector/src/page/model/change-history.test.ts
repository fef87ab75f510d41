import { describe, expect, it } from 'vitest';
import type { ListChanges, ListState } from '../../shared/lists.ts';
import { ChangeHistory } from './change-history.ts';

const nothing: ListChanges = { added: [], removed: [], changed: [] };

function listener() {
  const heard = new ChangeHistory();
  let n = 0;
  const numbered = () => ({ n: ++n, at: 1000 + n });
  return {
    heard,
    says: (what: 'tools' | 'prompts' | 'resources') => heard.addChange({ connection: 'a', what, ...numbered() }),
    updates: (uri: string) => heard.addChange({ connection: 'a', what: 'resource', uri, ...numbered() }),
    lists: (kind: ListState['kind'], changes?: ListChanges, state: ListState['state'] = 'loaded') =>
      heard.addList({
        connection: 'a',
        kind,
        state,
        version: 1,
        count: 0,
        bytes: 0,
        tokens: 0,
        ...(changes && { changes }),
        ...numbered(),
      }),
    reads: (subject: string) =>
      heard.addCall({
        call: 'c',
        connection: 'a',
        method: 'resources/read',
        subject,
        params: '',
        by: 'inspector',
        ...numbered(),
      }),
  };
}

describe('the history of changes', () => {
  it('contains the reloaded list of a change', () => {
    const { heard, says, lists } = listener();
    lists('tools');
    says('tools');
    lists('tools', undefined, 'stale');
    expect(heard.forConnection('a')).toMatchObject([{ is: 'list', what: 'tools', times: 1, lists: [] }]);
    lists('tools', { ...nothing, added: ['x'] });
    expect(heard.forConnection('a')).toMatchObject([{ lists: [{ kind: 'tools', changes: { added: ['x'] } }] }]);
    expect(heard.forConnection('b')).toEqual([]);
  });

  it('waits for both resource lists, even if one is refused', () => {
    const { heard, says, lists } = listener();
    says('resources');
    lists('templates', undefined, 'refused');
    says('resources');
    lists('resources', nothing);
    says('resources');
    expect(heard.forConnection('a')).toMatchObject([
      { times: 2, lists: [{ kind: 'templates', state: 'refused' }, { kind: 'resources' }] },
      { times: 1, lists: [] },
    ]);
  });

  it('contains unannounced changes, and nothing without a difference', () => {
    const { heard, lists } = listener();
    lists('prompts', nothing);
    lists('templates', { ...nothing, removed: ['t'] });
    expect(heard.forConnection('a')).toMatchObject([{ what: 'resources', times: 0, lists: [{ kind: 'templates' }] }]);
  });

  it('counts announcements of a resource as one change until it is read', () => {
    const { heard, updates, reads } = listener();
    updates('r:one');
    updates('r:two');
    updates('r:one');
    expect(heard.forConnection('a')).toMatchObject([
      { uri: 'r:one', times: 2, n: 1, last: 3 },
      { uri: 'r:two', times: 1 },
    ]);
    reads('r:one');
    updates('r:one');
    expect(heard.forConnection('a').map(({ times }) => times)).toEqual([2, 1, 1]);
  });

  it('is limited, and removed with its connection', () => {
    const { heard, updates } = listener();
    for (let at = 0; at < 2000; at += 1) updates(`r:${at}`);
    expect(heard.forConnection('a')).toHaveLength(500);
    heard.dropBefore(1900);
    expect(heard.forConnection('a')).toHaveLength(101);
    heard.removeConnection('a');
    expect(heard.forConnection('a')).toEqual([]);
  });
});
