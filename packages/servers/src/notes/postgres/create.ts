import type { QueryResultRow as Row } from 'pg';
import { GroupCommit, type Outcome } from '../group-commit.ts';
import { draftSum, type Note } from '../note.ts';
import { keyTaken, NotesError } from '../notes-error.ts';
import { columns, toNote } from './note-row.ts';
import { changeAndTell, tell, type Telling } from './tell.ts';
import { type Creation, insert, insertMany } from './write-row.ts';

/** Makes a note, with a key by which it is known again. */
export function createWithKey(telling: Telling, { draft, owner }: Creation, key: string): Promise<Note> {
  return changeAndTell(telling, owner, async (query) => {
    const made = await insert(query, draft, { owner, key });
    if (made !== undefined) return { note: made, listed: true };
    const [row] = await query(`select ${columns}, draft from ccmcp_notes where owner = $1 and key = $2`, [owner, key]);
    const note = toNote(row as Row);
    if (row?.draft !== draftSum(draft)) throw keyTaken(note.id);
    return { note, listed: undefined };
  });
}

/** Makes notes, those that come in one turn with a few statements and one commit. */
export function creationsIn(telling: Telling): GroupCommit<Creation> {
  const { database, heard, listener, self } = telling;

  async function together(creations: readonly Creation[]): Promise<Outcome[]> {
    const { channel } = await heard();
    const group = atOnce(creations);
    const { notes, changes } = await database.write(async (query) => {
      const notes = await insertMany(query, group);
      const changes = notes.map(({ id }, index) => ({ id, owner: (group[index] as Creation).owner, listed: true }));
      await tell(query, channel, self, changes);
      return { notes, changes };
    });
    listener(changes);
    return notes.map((value) => ({ value }));
  }

  return new GroupCommit({
    alone: ({ draft, owner }) =>
      changeAndTell(telling, owner, async (query) => {
        const note = (await insert(query, draft, { owner })) as Note;
        return { note, listed: true };
      }),
    together,
    // A database that can't be reached is so for all of them, and whether they were made may not be known.
    concernsAll: (error) => error instanceof NotesError && error.problem === 'unavailable',
  });
}

/** As much as one statement may carry, in characters. */
const mostAtOnce = 1024 * 1024;

function atOnce(creations: readonly Creation[]): readonly Creation[] {
  let room = mostAtOnce;
  const end = creations.findIndex(({ draft }, index) => {
    room -= draft.content.length;
    return room < 0 && index > 0;
  });
  return end === -1 ? creations : creations.slice(0, end);
}
