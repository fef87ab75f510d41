import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from './ccmcp.ts';

/** A folder for the PATH with a browser in it whose user agrees to everything. */
export function browser(): string {
  const folder = emptyFolder();
  const script = `#!${process.execPath}
    fetch(process.argv[2], { redirect: 'manual' }).then(({ headers }) => fetch(headers.get('location')));`;
  writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o755 });
  return folder;
}
