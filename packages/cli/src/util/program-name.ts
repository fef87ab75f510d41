import { basename, delimiter, dirname, relative, sep } from 'node:path';
import { host } from '../host.ts';

/** How this command was started, and where it is to be started again. */
export interface SelfLocation {
  script?: string;
  path?: string;
  cwd?: string;
}

/** What somebody types to start this command, as far as can be told: its bare name where the PATH leads to it. */
export function selfCommand(place: SelfLocation = {}): string {
  const { script = host.script, path: search = process.env.PATH ?? '', cwd = process.cwd() } = place;
  const name = basename(script);
  if (name.startsWith('main.') || search.split(delimiter).includes(dirname(script))) return 'ccmcp';
  const path = relative(cwd, script);
  if (path.startsWith('..')) return script;
  return path === name ? `.${sep}${name}` : path;
}
