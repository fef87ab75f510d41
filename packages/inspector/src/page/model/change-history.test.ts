import { describe, expect, it } from 'vitest';
import type { ListChanges, ListState } from '../../shared/lists.ts';
import { ChangeHistory } from './change-history.ts';

const nothing: ListChanges = { added: [], removed: [], changed: [] };

function listener() {
  const history = new ChangeHistory();
  let n = 0;
  const numbered = () => ({ n: ++n, at: 1000 + n });
  return {
    history,
    announce: (what: 'tools' | 'prompts' | 'resources') => history.addChange({ connection: 'a', what, ...numbered() }),
    updates: (uri: string) => history.addChange({ connection: 'a', what: 'resource', uri, ...numbered() }),
    lists: (kind: ListState['kind'], changes?: ListChanges, state: ListState['state'] = 'loaded') =>
      history.addList({
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
      history.addCall({
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
    const { history, announce, lists } = listener();
    lists('tools');
    announce('tools');
    lists('tools', undefined, 'stale');
    expect(history.forConnection('a')).toMatchObject([{ is: 'list', what: 'tools', times: 1, lists: [] }]);
    lists('tools', { ...nothing, added: ['x'] });
    expect(history.forConnection('a')).toMatchObject([{ lists: [{ kind: 'tools', changes: { added: ['x'] } }] }]);
    expect(history.forConnection('b')).toEqual([]);
  });

  it('waits for both resource lists, even if one is rejected', () => {
    const { history, announce, lists } = listener();
    announce('resources');
    lists('templates', undefined, 'refused');
    announce('resources');
    lists('resources', nothing);
    announce('resources');
    expect(history.forConnection('a')).toMatchObject([
      { times: 2, lists: [{ kind: 'templates', state: 'refused' }, { kind: 'resources' }] },
      { times: 1, lists: [] },
    ]);
  });

  it('contains unannounced changes, but no reload without a difference', () => {
    const { history, lists } = listener();
    lists('prompts', nothing);
    lists('templates', { ...nothing, removed: ['t'] });
    expect(history.forConnection('a')).toMatchObject([{ what: 'resources', times: 0, lists: [{ kind: 'templates' }] }]);
  });

  it('counts announcements of a resource as one change until it is read', () => {
    const { history, updates, reads } = listener();
    updates('r:one');
    updates('r:two');
    updates('r:one');
    expect(history.forConnection('a')).toMatchObject([
      { uri: 'r:one', times: 2, n: 1, last: 3 },
      { uri: 'r:two', times: 1 },
    ]);
    reads('r:one');
    updates('r:one');
    expect(history.forConnection('a').map(({ times }) => times)).toEqual([2, 1, 1]);
  });

  it('is limited, and removed with its connection', () => {
    const { history, updates } = listener();
    for (let at = 0; at < 2000; at += 1) updates(`r:${at}`);
    expect(history.forConnection('a')).toHaveLength(500);
    history.dropBefore(1900);
    expect(history.forConnection('a')).toHaveLength(101);
    history.removeConnection('a');
    expect(history.forConnection('a')).toEqual([]);
  });
});
