import { candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';

const transferOptions = {
  db: {
    value: 'FILE',
    about: 'where the notes are (default: DATABASE_URL, else a file in your data folder)',
    once: true,
    completes: 'files',
  },
  owner: { value: 'NAME', about: 'only the notes of the caller with this name', once: true },
} as const;

const transferDescription = 'PATH is a folder of Markdown files, or a file that ends in .jsonl.';
const completeFiles = () => candidates([], 'files');

const exportNotes = defineCommand({
  name: 'notes export',
  usage: 'PATH',
  helpUsage: ['PATH [--db FILE] [--owner NAME]'],
  summary: 'write all notes to a folder of Markdown files, or to a file that ends in .jsonl',
  description: transferDescription,
  options: transferOptions,
  complete: completeFiles,
  run: async (parsed) => (await import('./notes.ts')).exportTo(parsed),
});

const importNotes = defineCommand({
  name: 'notes import',
  usage: 'PATH',
  helpUsage: ['PATH [--db FILE] [--owner NAME]'],
  summary: 'import notes; with --owner NAME, only those of the caller with that name',
  description: transferDescription,
  options: transferOptions,
  complete: completeFiles,
  run: async (parsed) => (await import('./notes.ts')).importFrom(parsed),
});

const recoverNotes = defineCommand({
  name: 'notes recover',
  usage: 'NEW',
  helpUsage: ['NEWFILE [--db FILE]'],
  summary: 'copy the readable notes of a damaged SQLite file into a new one',
  description: 'NEWFILE is created; FILE is not changed.',
  options: { db: transferOptions.db },
  complete: completeFiles,
  run: async (parsed) => (await import('./notes.ts')).recover(parsed),
});

/** The commands about the notes of the server `notes`. */
export const notesCommands: readonly Command[] = [exportNotes, importNotes, recoverNotes];
