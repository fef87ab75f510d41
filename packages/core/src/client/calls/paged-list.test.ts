import { describe, expect, it } from 'vitest';
import { createListing } from './paged-list.ts';

describe('a paged list', () => {
  it('fetches pages until there is no cursor, also after an empty one (C-G-01)', async () => {
    const asked: (string | undefined)[] = [];
    const pages = new Map<string | undefined, object>([
      [undefined, { rows: [1], nextCursor: '' }],
      ['', { rows: [], nextCursor: 'b' }],
      ['b', { rows: [2, 3] }],
    ]);
    const list = createListing<number>('rows', async (cursor) => {
      asked.push(cursor);
      return { ...pages.get(cursor) };
    });
    expect(await list.all()).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, '', 'b']);
  });

  it.each([null, 7, {}])('ends at an invalid cursor: %j', async (nextCursor) => {
    expect(await createListing('rows', async () => ({ rows: [1], nextCursor })).all()).toEqual([1]);
  });

  it('fetches pages lazily', async () => {
    let fetched = 0;
    const list = createListing<number>('rows', async () => {
      fetched += 1;
      return { rows: [fetched], nextCursor: String(fetched) };
    });
    for await (const row of list) if (row === 2) break;
    expect(fetched).toBe(2);
  });

  it('throws on a repeated cursor', async () => {
    const list = createListing('rows', async () => ({ rows: [], nextCursor: 'again' }));
    await expect(list.all()).rejects.toThrow('The server returned the same page twice');
  });

  it('throws above the maximum of pages, with the rows so far', async () => {
    let fetched = 0;
    const list = createListing('rows', async () => ({ rows: ['x'], nextCursor: String((fetched += 1)) }));
    const error = await list.all().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'ResultError',
      message: "The server's list does not end: it has more than 10000 pages",
      result: { rows: Array.from({ length: 10_000 }, () => 'x') },
    });
    expect(fetched).toBe(10_000);
  });

  it('accepts hundreds of thousands of rows in a page', async () => {
    const rows = Array.from({ length: 300_000 }, (_, index) => index);
    expect(await createListing('rows', async () => ({ rows })).all()).toEqual(rows);
  });

  it.each([
    ['1000000 rows', Array.from({ length: 400_000 }, () => 0)],
    ['67108864 characters', Array.from({ length: 30 }, () => 'x'.repeat(1024 * 1024))],
  ])('is not gathered beyond %s', async (most, rows) => {
    let fetched = 0;
    const list = createListing('rows', async () => ({ rows, nextCursor: String((fetched += 1)) }));
    await expect(list.all()).rejects.toThrow(`The server's list is longer than ${most}: read it page by page`);
    expect(fetched).toBeLessThan(5);
    // Reading row by row has no limit.
    let read = 0;
    for await (const page of list.pages()) if ((read += page.length) > 1_200_000 || fetched > 10) break;
  });

  it('throws on a cursor that is too long', async () => {
    const list = createListing('rows', async () => ({ rows: [], nextCursor: 'x'.repeat(8193) }));
    await expect(list.all()).rejects.toThrow("The server's cursor is longer than 8192 characters");
  });

  it('throws on a page without rows', async () => {
    await expect(createListing('rows', async () => ({})).all()).rejects.toMatchObject({ name: 'ResultError' });
  });

  it('rejects rows that are nested too deeply', async () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    await expect(
      createListing('tools', async () => ({ tools: [{ inputSchema: { default: deep } }] })).all(),
    ).rejects.toThrow("The server's list of tools is nested deeper than 1000 levels");
  });
});
