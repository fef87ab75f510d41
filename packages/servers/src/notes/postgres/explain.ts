import { NotesError } from '../notes-error.ts';

/** What the driver, the network and the server say when the database can't be used just now. */
const passing: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '40001',
  '40P01',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

const lasting: ReadonlyMap<unknown, string> = new Map([
  ['25006', 'The notes can only be read: the database is read-only'],
  ['28000', 'The database refuses the user of DATABASE_URL'],
  ['28P01', 'The database refuses the password of DATABASE_URL'],
  ['3D000', 'The database of DATABASE_URL does not exist'],
  ['42501', 'The user of DATABASE_URL may not do this in the database'],
  ['53100', 'There is no space left for the database. Nothing was changed'],
]);

/** What a failure of the database means for whoever uses the notes; only of a commit nobody knows whether it was done. */
export function explain(error: unknown, outcome: 'not done' | 'perhaps done'): unknown {
  if (!(error instanceof Error) || error instanceof NotesError) return error;
  const { code } = error as { code?: unknown };
  const known = lasting.get(code);
  if (known !== undefined) return new NotesError('unavailable', known, { cause: error });
  return passing.has(code) || silence.test(error.message) ? outOfReach(outcome, error) : error;
}

/** The driver's errors about connections have no code. */
const silence =
  /timeout|connection terminated|not queryable|connection error|socket hang up|use a pool after calling end/i;

function outOfReach(outcome: 'not done' | 'perhaps done', cause: unknown): NotesError {
  const doubt = outcome === 'perhaps done' ? '. Look whether the change was made before you repeat it' : '';
  return new NotesError('unavailable', `The database with the notes can't be reached; try again soon${doubt}`, {
    cause,
  });
}
