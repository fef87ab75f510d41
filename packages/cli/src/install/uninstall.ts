import { resolve } from 'node:path';
import { withScheme } from '../address.ts';
import { clientNamed, readArguments, scopeOf } from './arguments.ts';
import {
  backupsOf,
  type ConfigFile,
  readConfigFile,
  removeConfigFile,
  restoreConfigFile,
  writeConfigFile,
} from './config-file.ts';
import { type Configuration, explained, pathOf, readConfiguration, shownChange } from './configuration.ts';
import { valueAt, withoutValue, withValue } from './edit.ts';
import { uninstallHelp } from './help.ts';
import { Misuse } from '../misuse.ts';
import { looksLikeFile } from '../server-file.ts';
import { type Change, reportOutcome } from './outcome.ts';
import { run } from './run.ts';
import { readEntry } from './server-entry.ts';
import { isAddress } from './wanted-servers.ts';
import { thisWorld, type World } from './world.ts';

const options = {
  scope: { type: 'string' },
  file: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `ccmcp uninstall`: takes servers out of a client's configuration. Returns the exit code. */
export function uninstall(args: readonly string[]): Promise<number> {
  return uninstallIn(args, thisWorld());
}

/** The same in any world. */
export function uninstallIn(args: readonly string[], world: World): Promise<number> {
  return run({ name: 'uninstall', args }, world, () => {
    const { values, positionals, passed } = readArguments(args, options);
    if (values.help) {
      world.print(uninstallHelp);
      return 0;
    }
    const [word, ...words] = positionals;
    const { id, client } = clientNamed(word);
    if (words.length === 0) throw new Misuse('name a server');
    if (passed.length > 0) throw new Misuse('no options are expected after --');
    const found = readConfiguration(client, pathOf(client, scopeOf(client, values.scope), values.file, world));
    const names = [...new Set(words.flatMap((each) => namesOf(each, found, world)))];
    const unknown = names.filter((name) => !Object.hasOwn(found.servers, name));
    if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: not in ${found.file.path}`);
    return reportOutcome(world, values.json, (told) => {
      const done = take(found, names, { isDry: values['dry-run'] === true }, told);
      return { client: id, servers: names, ...done };
    });
  });
}

/** The name that was given, or the names of the servers that are that file or have that address. */
function namesOf(given: string, { servers }: Configuration, { cwd }: World): string[] {
  const word = Object.hasOwn(servers, given) ? given : withScheme(given, cwd);
  if (Object.hasOwn(servers, word) || !(isAddress(word) || looksLikeFile(word))) return [given];
  const path = resolve(cwd, word);
  const found = Object.entries(servers).filter(([, entry]) => {
    const read = readEntry(entry);
    return read?.kind === 'http' ? read.url === word : read?.args.includes(path) === true || read?.command === path;
  });
  return found.length === 0 ? [given] : found.map(([name]) => name);
}

/** How servers are taken out: by what the file was before, where that is known, or else entry by entry. */
type Way = { kind: 'remove' } | { kind: 'restore'; backup: ConfigFile; text: string } | { kind: 'edit'; text: string };

function take(found: Configuration, names: readonly string[], { isDry }: { isDry: boolean }, world: World): Change {
  const { client, file } = found;
  const way = wayBack(found, names);
  if (isDry) {
    const diff = shownChange(found, way.kind === 'remove' ? '' : way.text);
    world.print(diff);
    return { file: file.path, changed: false, diff };
  }
  let backup: string | undefined;
  const what = names.join(', ');
  switch (way.kind) {
    case 'remove':
      removeConfigFile(file);
      world.tell(`Removed ${file.path}, which had nothing in it but ${what}\n`);
      break;
    case 'restore':
      restoreConfigFile(file, way.backup);
      world.tell(`Took ${what} out of ${file.path}, which is what it was before\n`);
      break;
    case 'edit':
      backup = writeConfigFile(file, way.text, world.now());
      world.tell(`Took ${what} out of ${file.path}\nThe file as it was: ${backup}\n`);
  }
  // What else is said there is about a server that is new.
  world.tell(`${client.afterwards.replace(/[;,] .*/, '.')}\n`);
  return { file: file.path, changed: true, ...(backup !== undefined && { backup }) };
}

/** If installing these servers into a copy gives the file as it is now, the copy is what it was before. */
function wayBack(found: Configuration, names: readonly string[]): Way {
  const { client, file, table } = found;
  for (const backup of backupsOf(file.path)) {
    const copy = readCopy(backup);
    if (copy === undefined || copy.mark !== file.mark) continue;
    const { text } = copy;
    if (reinstalled(text, found, names) === file.text) return { kind: 'restore', backup: copy, text };
  }
  if (file.mark === '' && reinstalled('', found, names) === file.text) return { kind: 'remove' };
  const text = explained(file.path, () =>
    names.reduce((rest, name) => withoutValue(client.syntax, rest, [...table, name]), file.text),
  );
  return { kind: 'edit', text };
}

/** A copy, unless what has its name is none, or can't be read any more. */
function readCopy(path: string): ConfigFile | undefined {
  try {
    return readConfigFile(path);
  } catch {
    return undefined;
  }
}

function reinstalled(before: string, { client, servers }: Configuration, names: readonly string[]): string | undefined {
  try {
    const settings = client.syntax.read(before);
    const table = client.table(settings);
    const added = Object.keys(servers).filter((name) => names.includes(name));
    if (added.some((name) => valueAt(settings, [...table, name]) !== undefined)) return undefined;
    return added.reduce((text, name) => withValue(client.syntax, text, [...table, name], servers[name]), before);
  } catch {
    // A copy that can't be read any more is no help.
    return undefined;
  }
}
