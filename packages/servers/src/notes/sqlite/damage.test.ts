import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../../../test/support/ccmcp.ts';
import { readAllNotes, filledFile } from '../fixtures/damage.ts';
import { open } from '../fixtures/stores.ts';
import { recoverNotes } from '../open.ts';
import { notesServer } from '../server.ts';
import { loadSqlite } from './driver.ts';

describe('a damaged file', () => {
  it('is rejected with a message if its format number changed (FT-11)', async () => {
    const { outcomeWith } = await filledFile();
    // The format number, whose last byte is 4.
    for (const bit of [0, 3, 7]) expect(await outcomeWith({ place: 47, bit })).toBe('refused');
  });

  it.each(['Note 5 of ann', 'some words of note 7', '"tag1"', 'key 4'])(
    'is rejected unchanged if letters of %j changed, with the recovery command (FT-11)',
    async (text) => {
      const { db, bytes } = await filledFile();
      alter(bytes, text);
      writeFileSync(db, bytes);
      const notes = await open({ db });
      await expect(notes.create({ title: 'x', content: '', tags: [] })).rejects.toMatchObject({
        problem: 'unavailable',
        message: expect.stringMatching(/damaged.*left as it is.*ccmcp notes recover recovered\.db --db '.*notes\.db'/),
      });
      await expect(notes.get('note_1')).rejects.toMatchObject({ problem: 'unavailable' });
      expect(readFileSync(db).equals(bytes)).toBe(true);
    },
  );

  it('is detected on read if it happens while the file is open (FT-11)', async () => {
    const { db } = await filledFile();
    const notes = await open({ db });
    await notes.get('note_5');
    const sqlite = new (await loadSqlite())(db);
    sqlite.exec("update notes set title = 'Nota' where n = 5");
    sqlite.close();
    for (const work of [notes.get, notes.remove, () => notes.after(undefined, 100)]) {
      await expect(work('note_5')).rejects.toThrow(/damaged \(note_5 was altered\)/);
    }
  });

  it('is recovered with the same ids and owners', async () => {
    const { db, bytes, served } = await filledFile();
    alter(bytes, 'Note 5 of ann');
    writeFileSync(db, bytes);
    const to = `${db}.recovered`;
    const { kept, altered, lost } = await recoverNotes(db, to);
    expect([kept, altered, lost]).toEqual([26, ['note_20'], []]);
    expect(readFileSync(db).equals(bytes)).toBe(true);
    const notes = await open({ db: to });
    const [mine] = await readAllNotes(notes);
    expect(mine).toEqual((served as unknown[])[0]);
    expect((await notes.ownedBy('ann').get('note_20')).tags).toEqual(['tag2', 'damaged']);
    expect((await notes.create({ title: 'next', content: '', tags: [] })).id).toBe('note_27');
    await expect(recoverNotes(db, to)).rejects.toThrow(/is there already/);
  });

  it('is recovered from its intact pages', async () => {
    const { db, bytes } = await filledFile();
    // The second half of the pages written last: contents of long notes.
    bytes.fill(0xa5, bytes.length - 8192);
    writeFileSync(db, bytes);
    await expect((await open({ db })).get('note_1')).rejects.toThrow(/damaged/);
    const { kept, lost } = await recoverNotes(db, `${db}.recovered`);
    expect(kept).toBeGreaterThan(15);
    expect(kept + lost.length).toBe(26);
    expect(lost).not.toEqual([]);
    const notes = await open({ db: `${db}.recovered` });
    expect((await notes.get('note_1')).title).toBe('Welcome');
  });

  it.each([1, 4096, 40_000])(
    'without its last %i bytes is rejected at start-up, with the recovery command (FT-05)',
    async (missing) => {
      const { db, bytes } = await filledFile();
      truncateSync(db, bytes.length - missing);
      expect(() => notesServer({ db })).toThrow(
        new RegExp(
          `its end is missing: it has ${bytes.length - missing} of ${bytes.length} bytes.*ccmcp notes recover`,
        ),
      );
      expect(statSync(db).size).toBe(bytes.length - missing);
      const { kept, lost } = await recoverNotes(db, `${db}.recovered`);
      expect(kept).toBeGreaterThanOrEqual(15);
      // Of the last notes even the ids may be lost.
      expect(kept + lost.length).toBeGreaterThan(20);
      expect((await (await open({ db: `${db}.recovered` })).get('note_1')).title).toBe('Welcome');
    },
  );

  it('without a complete header is rejected at start-up (FT-05)', async () => {
    const { db } = await filledFile();
    truncateSync(db, 50);
    expect(() => notesServer({ db })).toThrow('its end is missing: it has 50 of 100 bytes');
  });

  it('with a journal is not rejected at start-up', async () => {
    const { db, bytes } = await filledFile();
    truncateSync(db, bytes.length - 4096);
    writeFileSync(`${db}-journal`, 'x');
    expect(() => notesServer({ db })).not.toThrow();
  });

  it('without readable notes is reported', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'notes.db'), 'x'.repeat(9000));
    await expect(recoverNotes(join(folder, 'notes.db'), join(folder, 'new.db'))).rejects.toThrow(
      /sqlite3 FILE \.recover/,
    );
    expect(readdirSync(folder)).toEqual(['notes.db']);
  });
});

/** Changes a letter in every occurrence of a text: some copies are no longer in use. */
function alter(bytes: Buffer, text: string): void {
  for (let place = bytes.indexOf(text); place !== -1; place = bytes.indexOf(text, place)) {
    bytes[place + 1] = (bytes[place + 1] as number) ^ 2;
  }
}
