import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from './ccmcp.ts';

/** A folder for the PATH with a fake browser whose user consents to everything. */
export function browser(): string {
  const folder = emptyFolder();
  const script = `#!/bin/sh
    exec curl --silent --location --output /dev/null "$1"
  `;
  writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o755 });
  return folder;
}
