import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../../../test/support/ccmcp.ts';
import { open } from '../fixtures/stores.ts';
import { prepareWriters, type Writer } from '../fixtures/writers.ts';
import { loadSqlite } from './driver.ts';

const startWriter = await prepareWriters();

async function missingOf(db: string, writers: readonly Writer[]): Promise<unknown[]> {
  const notes = await open({ db });
  const titles = new Map((await notes.after(undefined, 100_000)).map(({ id, title }) => [id, title]));
  await notes.close();
  return writers.flatMap(({ acknowledged }) => acknowledged.filter(({ id, title }) => titles.get(id) !== title));
}

describe('one file of notes, used by many processes', () => {
  it('keeps every note of twenty concurrent writers (FT-03)', { timeout: 120_000 }, async () => {
    const db = join(emptyFolder(), 'notes.db');
    const writers = Array.from({ length: 20 }, (_, index) => startWriter(db, `w${index}`, 5));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(writers.map(() => 0));
    expect(writers.map(({ acknowledged }) => acknowledged.length)).toEqual(writers.map(() => 5));
    expect(await missingOf(db, writers)).toEqual([]);
    const ids = writers.flatMap(({ acknowledged }) => acknowledged.map(({ id }) => id));
    expect(new Set(ids).size).toBe(100);
  });

  it('loses no acknowledged note when writers are killed, and opens again (FT-01)', { timeout: 120_000 }, async () => {
    const db = join(emptyFolder(), 'notes.db');
    const all: Writer[] = [];
    for (let round = 0; round < 8; round += 1) {
      const writers = [startWriter(db, `a${round}`, 1_000_000), startWriter(db, `b${round}`, 1_000_000)];
      all.push(...writers);
      await Promise.race(writers.map((writer) => writer.has(round * 3)));
      for (const { child } of writers) child.kill('SIGKILL');
      await Promise.all(writers.map(({ ended }) => ended));
      expect(await missingOf(db, all)).toEqual([]);
    }
    expect(all.flatMap(({ acknowledged }) => acknowledged).length).toBeGreaterThan(50);
    const sqlite = new (await loadSqlite())(db);
    expect(sqlite.prepare('pragma integrity_check').all()).toMatchObject([{ integrity_check: 'ok' }]);
    sqlite.close();
  });
});
