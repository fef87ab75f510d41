import { basename } from 'node:path';
import type { ServerEntry } from './server-entry.ts';
import type { Location } from '../util/environment.ts';

/** An entry that can't be tried from outside its client. */
export class NotTestable extends Error {
  /** The variable that would have to be set. */
  variable?: string;
}

/** The syntax of variables in a client's entries. `any` is for files of no particular client. */
export type VariableSyntax = 'none' | 'braces' | 'editor' | 'shell' | 'curly' | 'any';

// Bounded, because they are looked for at every mark: a text may have a million of them.
const braces = String.raw`\$\{(?<braced>[A-Za-z_]\w{0,200}(?::-[^}]{0,300})?)\}`;
const editor = String.raw`\$\{(?<known>(?:env|input|command|config):[^}]{0,300}|workspaceFolder(?:Basename)?|userHome|pathSeparator|/)\}`;
const shell = String.raw`\$(?<plain>[A-Za-z_]\w{0,200})|\$(?<run>\([^)]{0,300}\))`;
const curly = String.raw`\{(?<curly>(?:env|file):[^}]{0,300})\}`;

const patterns: Record<VariableSyntax, RegExp> = {
  none: /(?!)/g,
  braces: new RegExp(braces, 'g'),
  editor: new RegExp(editor, 'g'),
  shell: new RegExp(`${braces}|${shell}`, 'g'),
  curly: new RegExp(curly, 'g'),
  any: new RegExp(`${editor}|${braces}|${curly}`, 'g'),
};

/** Where values come from. Without a `folder`, an entry that uses files of the working directory can't be tried. */
export interface Values extends Pick<Location, 'env' | 'home' | 'platform'> {
  folder: string | undefined;
  marks: VariableSyntax;
}

/** An entry with its variables replaced, as its client would do before using it. */
export function substituteVariables<T extends ServerEntry>(entry: T, values: Values): T {
  const fill = (text: string): string =>
    text.replaceAll(patterns[values.marks], (...found: unknown[]) => {
      const { braced, known, plain, run, curly: inCurlies } = found.at(-1) as Record<string, string | undefined>;
      return valueOf(braced ?? known ?? plain ?? run ?? inCurlies ?? '', values);
    });
  const fillAll = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if (entry.kind === 'http') return { ...entry, url: fill(entry.url), headers: fillAll(entry.headers) };
  const { command, args, env, cwd, envFile } = entry;
  return {
    ...entry,
    command: fill(command),
    args: args.map(fill),
    env: fillAll(env),
    ...(cwd !== undefined && { cwd: fill(cwd) }),
    ...(envFile !== undefined && { envFile: fill(envFile) }),
  };
}

function valueOf(text: string, { env, folder, home, platform }: Values): string {
  if (text.startsWith('workspaceFolder')) {
    if (folder === undefined) throw new NotTestable('not started: it uses files of this folder');
    return text.endsWith('Basename') ? basename(folder) : folder;
  }
  if (text === 'userHome') return home;
  if (text === 'pathSeparator' || text === '/') return platform === 'win32' ? '\\' : '/';
  if (text.startsWith('input:')) throw new NotTestable(`its client asks for "${text.slice('input:'.length)}"`);
  if (/^(?:command|config|file):/.test(text)) throw new NotTestable(`only its client knows "${text}"`);
  if (text.startsWith('(')) throw new NotTestable('its client runs a command to get a value');
  const [name = '', otherwise] = text.replace(/^env:/, '').split(':-', 2);
  const value = env[name] ?? otherwise;
  if (value !== undefined) return value;
  throw Object.assign(new NotTestable(`the variable ${name} is not set here`), { variable: name });
}
