import { defaultNotesFile, recoverNotes } from '@ccmcp/servers/notes';
import { print, tell } from './print.ts';

const usage = 'Usage: ccmcp notes recover NEWFILE [--db FILE]\nNEWFILE is made; FILE stays as it is.\n';

/** Saves what can be read of a damaged SQLite file. */
export async function recover(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    print(usage);
    return 0;
  }
  const [to, option, from = defaultNotesFile()] = args;
  const isRight = args.length === 1 || (args.length === 3 && option === '--db');
  if (!isRight || to === undefined || to.startsWith('-')) {
    tell(usage);
    return 2;
  }
  const { kept, altered, lost } = await recoverNotes(from, to);
  print(`Recovered ${kept} notes of ${from} into ${to}\n`);
  if (altered.length > 0) print(`Altered, and now tagged "damaged": ${altered.join(', ')}\n`);
  if (lost.length > 0) print(`Lost: ${lost.join(', ')}\n`);
  return 0;
}
