import { basename } from 'node:path';
import type { ServerEntry } from './server-entry.ts';
import type { Location } from '../system/environment.ts';
import { UsageError } from '../command/usage-error.ts';

/** An entry that can't be tested outside its client. */
export class NotTestableError extends Error {
  /** The missing variable. */
  variable?: string;
}

/** The syntax of variables in a client's entries. `any` is for files of no particular client. */
export type VariableSyntax = 'none' | 'braces' | 'editor' | 'shell' | 'curly' | 'any';

// Bounded, because they are searched at every mark: a text may have a million of them.
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

/** The source of values. Without a `folder`, an entry that uses files of the working directory can't be tested. */
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
    if (folder === undefined) throw new NotTestableError('not started: it uses files of this folder');
    return text.endsWith('Basename') ? basename(folder) : folder;
  }
  if (text === 'userHome') return home;
  if (text === 'pathSeparator' || text === '/') return platform === 'win32' ? '\\' : '/';
  if (text.startsWith('input:')) throw new NotTestableError(`its client asks for "${text.slice('input:'.length)}"`);
  if (/^(?:command|config|file):/.test(text)) throw new NotTestableError(`only its client knows "${text}"`);
  if (text.startsWith('(')) throw new NotTestableError('its client runs a command to get a value');
  const [name = '', otherwise] = text.replace(/^env:/, '').split(':-', 2);
  const value = env[name] ?? otherwise;
  if (value !== undefined) return value;
  throw Object.assign(new NotTestableError(`the variable ${name} is not set here`), { variable: name });
}

/** Named texts, such as the headers or the environment of an entry. */
type Texts = Readonly<Record<string, string>>;

// `${env:NAME}` and `${NAME}` refer to the environment of the client. Editors also have lowercase placeholders in
// braces.
const variable = String.raw`\$\{(?:env:(?=[A-Za-z_])|(?=[A-Z_][A-Z0-9_]*\}))(\w+)\}`;
const reference = new RegExp(variable, 'g');
const wholeReference = new RegExp(`^${variable}$`);
const bearerReference = new RegExp(`^[Bb]earer ${variable}$`);

/** Texts with their references in the syntax of a client. */
export function writeReferences(texts: Texts, write: (variable: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, text.replaceAll(reference, (_, name: string) => write(name))]),
  );
}

/** The names of all variables that texts refer to, each once. */
export function variablesIn(texts: Texts): string[] {
  const names = Object.values(texts).flatMap((text) => Array.from(text.matchAll(reference), ([, name = '']) => name));
  return [...new Set(names)];
}

/** The variable that holds the token of an `Authorization` header, and the other headers. */
export function bearerVariable(headers: Texts): { bearer: string | undefined; others: Record<string, string> } {
  const isBearer = ([key, text]: [string, string]) => /^authorization$/i.test(key) && bearerReference.test(text);
  const [, text = ''] = Object.entries(headers).find(isBearer) ?? [];
  const others = Object.fromEntries(Object.entries(headers).filter((pair) => !isBearer(pair)));
  return { bearer: bearerReference.exec(text)?.[1], others };
}

/** Rejects references for a client that substitutes none: it would forward them literally. */
export function rejectReferences(texts: Texts, title: string): Record<string, string> {
  return requireNoReference(texts, (key) => `${title} fills in no variables: give ${key} its value itself`);
}

/** Splits texts into literal values and names of variables. */
export function splitByVariable(
  texts: Texts,
  title: string,
): { literals: Record<string, string>; references: Record<string, string> } {
  const found = Object.entries(texts).map(([key, text]) => [key, text, wholeReference.exec(text)?.[1]] as const);
  const literals = Object.fromEntries(found.filter(([, , name]) => name === undefined));
  const references = Object.fromEntries(found.flatMap(([key, , name]) => (name === undefined ? [] : [[key, name]])));
  return {
    literals: requireNoReference(
      literals,
      (key) => `${title} takes a variable as a whole value only: ${key} has more in it`,
    ),
    references,
  };
}

/** The variables that a client passes to a server under their own names. */
export function passedVariables(references: Texts, title: string): string[] {
  const [renamed] = Object.entries(references).filter(([key, name]) => key !== name);
  if (renamed === undefined) return Object.values(references);
  const [key, name] = renamed;
  throw new UsageError(`${title} hands variables on under their own names only: ${key} can't be ${name}`);
}

function requireNoReference(texts: Texts, problem: (key: string) => string): Record<string, string> {
  const [key] = Object.entries(texts).find(([, text]) => text.search(reference) !== -1) ?? [];
  if (key === undefined) return { ...texts };
  throw new UsageError(problem(key));
}
