import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit, type GroupCommitActions } from './group-commit.ts';

/** Jobs are numbers; their commits are recorded. */
function counting(ways: Partial<GroupCommitActions<number>> = {}): {
  commits: number[][];
  pieces: GroupCommit<number>;
} {
  const commits: number[][] = [];
  const pieces = new GroupCommit<number>({
    runAlone: async (piece) => {
      commits.push([piece]);
      return piece;
    },
    runTogether: async (group) => {
      commits.push([...group]);
      return group.map((value) => (value < 0 ? { error: new Error(`no ${value}`) } : { value }));
    },
    failsAll: () => false,
    ...ways,
  });
  return { commits, pieces };
}

const add = (pieces: GroupCommit<number>, ...numbers: number[]): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(numbers.map((number) => pieces.add(number)));

describe('group commit', () => {
  it('commits jobs of one turn together, in order', async () => {
    const { commits, pieces } = counting();
    await add(pieces, 1, 2, 3);
    expect(commits).toEqual([[1, 2, 3]]);
  });

  it('commits a single job alone', async () => {
    const { commits, pieces } = counting();
    await pieces.add(1);
    await pieces.add(2);
    expect(commits).toEqual([[1], [2]]);
  });

  it('is busy until all jobs are done', async () => {
    const { pieces } = counting();
    expect(pieces.isBusy).toBe(false);
    const added = add(pieces, 1, 2);
    expect(pieces.isBusy).toBe(true);
    await added;
    await nextTurn();
    expect(pieces.isBusy).toBe(false);
  });

  it('commits jobs that arrive during a commit together afterwards', async () => {
    const later: Promise<unknown>[] = [];
    const { commits, pieces } = counting({
      runAlone: async (piece) => {
        commits.push([piece]);
        if (piece === 1) later.push(pieces.add(2), pieces.add(3));
        return piece;
      },
    });
    await pieces.add(1);
    await Promise.all(later);
    expect(commits).toEqual([[1], [2, 3]]);
  });

  it('reports the failure of one job to its caller only', async () => {
    const { pieces } = counting();
    expect((await add(pieces, 1, -2, 3)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('splits jobs that exceed one commit', async () => {
    const { commits, pieces } = counting({
      runTogether: async (group) => {
        commits.push(group.slice(0, 2));
        return group.slice(0, 2).map((value) => ({ value }));
      },
    });
    expect(await add(pieces, 1, 2, 3, 4, 5)).toEqual([1, 2, 3, 4, 5].map((value) => ({ status: 'fulfilled', value })));
    expect(commits).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('retries jobs one by one if the group fails', async () => {
    const { commits, pieces } = counting({ runTogether: () => Promise.reject(new Error('too large')) });
    expect((await add(pieces, 1, 2)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(commits).toEqual([[1], [2]]);
  });

  it('fails a group at once on an error that affects all, and runs later jobs', async () => {
    let away = true;
    const { commits, pieces } = counting({
      runTogether: async (group) => {
        if (away) throw new Error('away');
        return group.map((value) => ({ value }));
      },
      failsAll: () => true,
    });
    expect(await add(pieces, 1, 2)).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }]);
    expect(commits).toEqual([]);
    away = false;
    expect((await add(pieces, 3, 4)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});
