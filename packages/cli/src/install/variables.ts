import type { ServerEntry } from './server-entry.ts';
import type { Place } from './world.ts';

/** An entry that can't be tried from outside its client. */
export class Untriable extends Error {}

// `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}` and `$NAME`, as the clients write them.
const variable = /\$\{([^}]*)\}|\{env:(\w+)\}|\$([A-Z_][A-Z0-9_]*)/g;

/** An entry with its variables replaced, as its client would do before using it. */
export function withVariables<T extends ServerEntry>(entry: T, place: Place): T {
  const fill = (text: string): string =>
    text.replaceAll(variable, (_, braced?: string, bracedEnv?: string, plain?: string) =>
      valueOf(braced ?? bracedEnv ?? plain ?? '', place),
    );
  const fillAll = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if (entry.kind === 'http') return { ...entry, url: fill(entry.url), headers: fillAll(entry.headers) };
  const cwd = entry.cwd === undefined ? {} : { cwd: fill(entry.cwd) };
  return { ...entry, command: fill(entry.command), args: entry.args.map(fill), env: fillAll(entry.env), ...cwd };
}

function valueOf(text: string, { env, cwd, home }: Place): string {
  if (text === 'workspaceFolder') return cwd;
  if (text === 'userHome') return home;
  if (text.startsWith('input:')) throw new Untriable(`its client asks for "${text.slice('input:'.length)}"`);
  const [name = '', otherwise] = text.replace(/^env:/, '').split(':-', 2);
  const value = env[name] ?? otherwise;
  if (value === undefined) throw new Untriable(`the variable ${name} is not set here`);
  return value;
}
