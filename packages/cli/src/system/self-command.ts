import { basename, delimiter, dirname, relative, sep } from 'node:path';
import { host } from '../host.ts';

/** How this program was started, and from which folder it will be run again. */
export interface SelfLocation {
  script?: string;
  path?: string;
  cwd?: string;
}

/** The command to type to run this program again: its bare name where it is on the PATH. */
export function selfCommand(location: SelfLocation = {}): string {
  const { script = host.script, path: search = process.env.PATH ?? '', cwd = process.cwd() } = location;
  const name = basename(script);
  if (name.startsWith('main.') || search.split(delimiter).includes(dirname(script))) return 'ccmcp';
  const path = relative(cwd, script);
  if (path.startsWith('..')) return script;
  return path === name ? `.${sep}${name}` : path;
}
