import { describe, expect, it } from 'vitest';
import { listing } from './paged-list.ts';

describe('a list in pages', () => {
  it('goes on until there is no cursor; an empty one is one (C-G-01)', async () => {
    const asked: (string | undefined)[] = [];
    const pages = new Map<string | undefined, object>([
      [undefined, { rows: [1], nextCursor: '' }],
      ['', { rows: [], nextCursor: 'b' }],
      ['b', { rows: [2, 3] }],
    ]);
    const list = listing<number>('rows', async (cursor) => {
      asked.push(cursor);
      return { ...pages.get(cursor) };
    });
    expect(await list.all()).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, '', 'b']);
  });

  it.each([null, 7, {}])('ends with a cursor that is none: %j', async (nextCursor) => {
    expect(await listing('rows', async () => ({ rows: [1], nextCursor })).all()).toEqual([1]);
  });

  it('is fetched no further than it is read', async () => {
    let fetched = 0;
    const list = listing<number>('rows', async () => {
      fetched += 1;
      return { rows: [fetched], nextCursor: String(fetched) };
    });
    for await (const row of list) if (row === 2) break;
    expect(fetched).toBe(2);
  });

  it('that never ends is not followed for ever', async () => {
    const list = listing('rows', async () => ({ rows: [], nextCursor: 'again' }));
    await expect(list.all()).rejects.toThrow('The server gave the same page twice');
  });

  it('without rows is the server\u2019s mistake', async () => {
    await expect(listing('rows', async () => ({})).all()).rejects.toMatchObject({ name: 'ResultError' });
  });
});
