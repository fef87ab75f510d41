import type { Recovered } from './sqlite/recover.ts';

export type { Recovered } from './sqlite/recover.ts';

/** Writes what can be read of a damaged SQLite file into a new one, under the same ids. The old one stays as it is. */
export async function recoverNotes(from: string, to: string): Promise<Recovered> {
  const { recoverFile } = await import('./sqlite/recover.ts');
  return recoverFile(from, to);
}
