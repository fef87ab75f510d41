import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder } from '../../../../../test/support/ccmcp.ts';
import { open } from '../fixtures/stores.ts';
import { isSafeWithLog } from './sqlite-file.ts';
import { type Database, loadSqlite } from './driver.ts';

const note = { title: 'a', content: 'b', tags: [] };

async function rawDatabase(path: string): Promise<Database> {
  const database = new (await loadSqlite())(path);
  onTestFinished(() => database.close());
  return database;
}

describe('the file with the notes', () => {
  it('is created with its folders on first use, private to the user', async () => {
    const folder = join(emptyFolder(), 'data', 'ccmcp');
    const notes = await open({ db: join(folder, 'notes.db') });
    expect(existsSync(folder)).toBe(false);
    await notes.create(note);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it('serves reads after earlier pending writes', async () => {
    const notes = await open({ db: join(emptyFolder(), 'notes.db') });
    const work = [
      notes.create(note),
      notes.get('note_3').then(({ title }) => title),
      notes.update('note_3', { title: 'changed' }),
      notes.get('note_3').then(({ title }) => title),
      notes.get('note_9').catch((error: Error) => error.message),
      notes.remove('note_3'),
      notes.idsLike('note_', 9).then(({ total }) => total),
    ];
    expect(await Promise.all(work)).toMatchObject([
      { id: 'note_3' },
      'a',
      { title: 'changed' },
      'changed',
      expect.stringContaining('note_9'),
      { title: 'changed' },
      2,
    ]);
  });

  it('is rejected unchanged if it is no database (FT-11)', async () => {
    const db = join(emptyFolder(), 'notes.db');
    const text = 'Dear diary, '.repeat(1000);
    writeFileSync(db, text);
    const notes = await open({ db });
    await expect(notes.get('note_1')).rejects.toMatchObject({
      problem: 'unavailable',
      message: expect.stringMatching(/no database.*notes\.db/),
    });
    await expect(notes.create(note)).rejects.toMatchObject({ problem: 'unavailable' });
    expect(readFileSync(db, 'utf8')).toBe(text);
  });

  it('is rejected if its pages are damaged, and never replaced (FT-11)', async () => {
    const db = join(emptyFolder(), 'notes.db');
    const first = await open({ db });
    await first.create(note);
    await first.close();
    const bytes = readFileSync(db);
    writeFileSync(db, bytes.fill(0xa5, 4096));
    const notes = await open({ db });
    await expect(notes.after(undefined, 10)).rejects.toMatchObject({
      problem: 'unavailable',
      message: expect.stringMatching(/damaged/),
    });
  });

  it('is rejected if it belongs to another program', async () => {
    const db = join(emptyFolder(), 'notes.db');
    (await rawDatabase(db)).exec('create table bookmarks (url text)');
    await expect((await open({ db })).create(note)).rejects.toMatchObject({
      message: expect.stringMatching(/database of another program/),
    });
  });

  it('is rejected if a newer version wrote it (FT-13)', async () => {
    const db = join(emptyFolder(), 'notes.db');
    const first = await open({ db });
    await first.create(note);
    await first.close();
    (await rawDatabase(db)).exec('pragma user_version = 99');
    await expect((await open({ db })).get('note_1')).rejects.toMatchObject({
      message: expect.stringMatching(/newer version.*99/),
    });
  });

  it('is reopened when it is replaced, without mixing both', async () => {
    const folder = emptyFolder();
    const db = join(folder, 'notes.db');
    const notes = await open({ db });
    await notes.create(note);
    const other = await open({ db: join(folder, 'other.db') });
    await other.create({ ...note, title: 'other' });
    await other.close();
    renameSync(join(folder, 'other.db'), db);
    if (existsSync(`${db}-wal`)) {
      await expect(notes.create(note)).rejects.toMatchObject({
        problem: 'unavailable',
        message: expect.stringMatching(/replaced.*-wal/),
      });
      rmSync(`${db}-wal`);
      rmSync(`${db}-shm`);
    }
    expect((await notes.create(note)).id).toBe('note_4');
    expect((await notes.get('note_3')).title).toBe('other');
  });

  it('is waited for asynchronously while another process locks it (FT-09)', async () => {
    const db = join(emptyFolder(), 'notes.db');
    const notes = await open({ db });
    await notes.get('note_1');
    const other = await rawDatabase(db);
    other.exec('begin immediate');
    let stored = false;
    const storing = notes.create(note).then((made) => {
      stored = true;
      return made;
    });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    expect(stored).toBe(false);
    other.exec('commit');
    expect((await storing).id).toBe('note_3');
  });

  it('is unavailable while its folder is a file (FT-12)', async () => {
    const folder = join(emptyFolder(), 'data');
    writeFileSync(folder, '');
    const notes = await open({ db: join(folder, 'notes.db') });
    await expect(notes.create(note)).rejects.toMatchObject({ problem: 'unavailable' });
    renameSync(folder, `${folder}.bak`);
    mkdirSync(folder);
    chmodSync(folder, 0o700);
    expect((await notes.create(note)).id).toBe('note_3');
  });

  it('has a write-ahead log only if that is safe', async () => {
    const db = join(emptyFolder(), 'notes.db');
    await (await open({ db })).create(note);
    const sqlite = await rawDatabase(db);
    const version = String(sqlite.prepare('select sqlite_version() as version').all()[0]?.version);
    const expected = isSafeWithLog(version) ? 'wal' : 'delete';
    expect(sqlite.prepare('pragma journal_mode').all()).toMatchObject([{ journal_mode: expected }]);
  });
});

describe('a write-ahead log', () => {
  it.each([
    ['3.7.0', false],
    ['3.45.1', false],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.53.0', true],
    ['4.0.0', true],
  ])('with SQLite %s is shared by processes: %s', (version, safe) => {
    expect(isSafeWithLog(version)).toBe(safe);
  });
});
