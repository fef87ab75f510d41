import { resolve } from 'node:path';
import { addScheme } from '../system/url-from-word.ts';
import { findClient, resolveScope } from '../config/clients.ts';
import {
  backupsOf,
  type ConfigFile,
  readConfigFile,
  removeConfigFile,
  restoreConfigFile,
  writeConfigFile,
} from '../config/file/config-file.ts';
import {
  type Configuration,
  nameFile,
  resolvePath,
  readConfiguration,
  formatChange,
  type Change,
  reportOutcome,
} from '../config/configuration.ts';
import { valueAt, removeValue, setValue } from '../config/file/edit.ts';
import { UsageError } from '../command/usage-error.ts';
import { looksLikeFile } from '../servers/server-file.ts';
import { readEntry } from '../config/server-entry.ts';
import { isUrl } from './server-entries.ts';
import type { Environment } from '../system/environment.ts';

/** The command line of `ccmcp uninstall`. */
interface UninstallArguments {
  readonly values: { scope?: string; file?: string; 'dry-run'?: true; json?: true };
  readonly positionals: readonly string[];
  /** The words after `--`. */
  readonly rest: readonly string[] | undefined;
}

/** `ccmcp uninstall`: removes servers from a client's configuration. Returns the exit code. */
export async function uninstall(
  { values, positionals, rest = [] }: UninstallArguments,
  environment: Environment,
): Promise<number> {
  const [clientName, ...words] = positionals;
  const { id, client } = findClient(clientName);
  if (words.length === 0) throw new UsageError('name a server');
  if (rest.length > 0) throw new UsageError('no options are expected after --');
  const path = resolvePath(client, resolveScope(client, values.scope), values.file, environment);
  const found = readConfiguration(client, path);
  const names = [...new Set(words.flatMap((word) => namesOf(word, found, environment)))];
  const unknown = names.filter((name) => !Object.hasOwn(found.servers, name));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: not in ${found.file.path}`);
  return reportOutcome(environment, values.json, (quiet) => {
    const change = removeEntries(found, names, { isDry: values['dry-run'] === true }, quiet);
    return { client: id, servers: names, ...change };
  });
}

/** The given name, or the names of the servers with that file or URL. */
function namesOf(given: string, { servers }: Configuration, { cwd }: Environment): string[] {
  const word = Object.hasOwn(servers, given) ? given : addScheme(given, cwd);
  if (Object.hasOwn(servers, word) || !(isUrl(word) || looksLikeFile(word))) return [given];
  const path = resolve(cwd, word);
  const found = Object.entries(servers).filter(([, entry]) => {
    const read = readEntry(entry);
    return read?.kind === 'http' ? read.url === word : read?.args.includes(path) === true || read?.command === path;
  });
  return found.length === 0 ? [given] : found.map(([name]) => name);
}

/** How servers are removed: by restoring the file, or else entry by entry. */
type Removal =
  | { kind: 'remove' }
  | { kind: 'restore'; backup: ConfigFile; text: string }
  | { kind: 'edit'; text: string };

function removeEntries(
  found: Configuration,
  names: readonly string[],
  { isDry }: { isDry: boolean },
  environment: Environment,
): Change {
  const { client, file } = found;
  const plan = planRemoval(found, names);
  if (isDry) {
    const diff = formatChange(found, plan.kind === 'remove' ? '' : plan.text);
    environment.print(diff);
    return { file: file.path, changed: false, diff };
  }
  let backup: string | undefined;
  const what = names.join(', ');
  switch (plan.kind) {
    case 'remove':
      removeConfigFile(file);
      environment.printStderr(`Removed ${file.path}, which had nothing in it but ${what}\n`);
      break;
    case 'restore':
      restoreConfigFile(file, plan.backup);
      environment.printStderr(`Removed ${what} from ${file.path}, which is now as before\n`);
      break;
    case 'edit':
      backup = writeConfigFile(file, plan.text, environment.now());
      environment.printStderr(`Removed ${what} from ${file.path}\nBackup: ${backup}\n`);
  }
  // The rest of the sentence is about a new server.
  environment.printStderr(`${client.nextStep.replace(/[;,] .*/, '.')}\n`);
  return { file: file.path, changed: true, ...(backup !== undefined && { backup }) };
}

/** If installing these servers into a backup gives the current file, that backup is restored. */
function planRemoval(found: Configuration, names: readonly string[]): Removal {
  const { client, file, table } = found;
  for (const backup of backupsOf(file.path)) {
    const copy = readCopy(backup);
    if (copy === undefined || copy.mark !== file.mark) continue;
    const { text } = copy;
    if (installInto(text, found, names) === file.text) return { kind: 'restore', backup: copy, text };
  }
  if (file.mark === '' && installInto('', found, names) === file.text) return { kind: 'remove' };
  const text = nameFile(file.path, () =>
    names.reduce((rest, name) => removeValue(client.syntax, rest, [...table, name]), file.text),
  );
  return { kind: 'edit', text };
}

/** Reads a backup; undefined if it can't be read. */
function readCopy(path: string): ConfigFile | undefined {
  try {
    return readConfigFile(path);
  } catch {
    return undefined;
  }
}

function installInto(before: string, { client, servers }: Configuration, names: readonly string[]): string | undefined {
  try {
    const settings = client.syntax.read(before);
    const table = client.table(settings);
    const added = Object.keys(servers).filter((name) => names.includes(name));
    if (added.some((name) => valueAt(settings, [...table, name]) !== undefined)) return undefined;
    return added.reduce((text, name) => setValue(client.syntax, text, [...table, name], servers[name]), before);
  } catch {
    // An unreadable backup is skipped.
    return undefined;
  }
}
