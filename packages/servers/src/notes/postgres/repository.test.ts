import { describe, expect, it } from 'vitest';
import { open, connectDirectly, postgresKinds, schemaOf } from '../fixtures/stores.ts';
import { NotesError } from '../note.ts';
import type { NoteChange } from '../repository.ts';
import { toVector } from './full-text.ts';

describe.each(postgresKinds)('notes in $name, with faults', ({ fresh }) => {
  it('lose no acknowledged note when connections break under load (FT-14, FT-15)', async () => {
    const options = await fresh();
    const notes = await open(options);
    await notes.get('note_1');
    const client = await connectDirectly(options);
    const acknowledged = new Set<string>();
    const problems: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      const writing = Array.from({ length: 20 }, async (_, index) => {
        try {
          acknowledged.add((await notes.create({ title: `${round} ${index}`, content: '', tags: [] })).id);
        } catch (error) {
          problems.push(error);
        }
      });
      await client.query(
        `select pg_terminate_backend(pid) from pg_locks
         where relation = $1::regclass and pid <> pg_backend_pid() and database is not null`,
        [`${schemaOf(options)}.ccmcp_notes`],
      );
      await Promise.all(writing);
    }
    for (const problem of problems) expect(problem).toMatchObject({ problem: 'unavailable' });
    await expect(notes.create({ title: 'after all', content: '', tags: [] })).resolves.toMatchObject({ tags: [] });
    const stored = new Set((await notes.after(undefined, 1000)).map(({ id }) => id));
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(50);
  });

  it('announce changes that happened during a disconnect (FT-21)', async () => {
    const options = await fresh();
    const received: NoteChange[] = [];
    let wake = (): void => {};
    const notes = await open(options, (changes) => {
      received.push(...changes);
      wake();
    });
    await notes.get('note_1');
    const client = await connectDirectly(options);
    // The change is made without a notification: only the lost connection triggers a check.
    await client.query("update ccmcp_notes set title = 'silent', updated_at = now() where n = 2");
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where query = $1', [
      `listen "ccmcp_notes ${schemaOf(options)}"`,
    ]);
    while (!received.some(({ id }) => id === 'note_2')) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    expect(received).toContainEqual({ id: 'note_2', owner: '', listed: true });
  });

  it('are rejected if a newer version migrated the database (FT-13)', async () => {
    const options = await fresh();
    await (await open(options)).get('note_1');
    await (await connectDirectly(options)).query('update ccmcp_notes_version set version = 99');
    await expect((await open(options)).get('note_1')).rejects.toMatchObject({
      message: expect.stringMatching(/newer version.*99/),
    });
  });

  it('are acknowledged after a synchronous commit, whatever the default of the database (FT-08)', async () => {
    const options = await fresh();
    const url = new URL(options.databaseUrl as string);
    url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=off`);
    const notes = await open({ databaseUrl: url.href });
    await notes.get('note_1');
    await (await connectDirectly(options)).query(`
      create function reject_haste() returns trigger language plpgsql as $$
      begin
        if current_setting('synchronous_commit') = 'off' then raise exception 'hasty'; end if;
        return new;
      end $$;
      create trigger reject_haste before insert on ccmcp_notes for each row execute function reject_haste()`);
    await expect(notes.create({ title: 'a', content: '', tags: [] })).resolves.toMatchObject({ id: 'note_3' });
  });

  it('report that the database does not exist', async () => {
    const url = new URL((await fresh()).databaseUrl as string);
    url.pathname = '/no_such_database_here';
    const notes = await open({ databaseUrl: url.href });
    await expect(notes.get('note_1')).rejects.toThrow(NotesError);
    await expect(notes.get('note_1')).rejects.toThrow(/does not exist/);
  });
});

describe('the words of a note for PostgreSQL', () => {
  it('have positions and weights', () => {
    expect(toVector({ title: 'Big Apple', content: 'an apple', tags: ['Fruit', 'red apple'] })).toBe(
      "'big':1A 'apple':2A,7B,10 'fruit':4B 'red':6B 'an':9",
    );
  });

  it('stay within the limits of tsvector', () => {
    const content = Array.from({ length: 200_000 }, (_, index) => index.toString(36).padStart(6, 'x')).join(' ');
    const vector = toVector({ title: 'a', content, tags: [] });
    expect(Math.max(...Array.from(vector.matchAll(/:(\d+)/g), ([, place]) => Number(place)))).toBeLessThan(16_384);
    expect(vector.match(/'[^']+'/g)?.join('').length).toBeLessThan(1_300_000);
  });
});
