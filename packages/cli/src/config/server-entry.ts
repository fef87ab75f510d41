import { isRecord } from '../system/record.ts';

/** A server that its client starts. */
export interface StdioEntry {
  kind: 'stdio';
  command: string;
  args: string[];
  env: Record<string, string>;
  /** An env file. */
  envFile?: string;
  cwd?: string;
}

/** A server that its client reaches at a URL. */
export interface HttpEntry {
  kind: 'http';
  url: string;
  headers: Record<string, string>;
}

export type ServerEntry = StdioEntry | HttpEntry;

/** Parses an entry in the format of any client; `undefined` if it is none. */
export function readEntry(entry: unknown): (ServerEntry & { disabled: boolean }) | undefined {
  if (!isRecord(entry)) return undefined;
  const disabled = entry.disabled === true || entry.enabled === false;
  const [url] = [entry.httpUrl, entry.serverUrl, entry.url, entry.uri].filter((each) => typeof each === 'string');
  if (url !== undefined) return { kind: 'http', url, headers: headersOf(entry), disabled };
  // Older files of Zed have the whole command in one object.
  const { path, args: own, env: ownEnv } = isRecord(entry.command) ? entry.command : {};
  const [command, ...args] = [path ?? entry.command ?? entry.cmd, own ?? entry.args ?? []].flat();
  if (typeof command !== 'string' || command === '') return undefined;
  const env = {
    ...passedThrough([entry.env_vars, entry.env_keys].flat()),
    ...texts(ownEnv ?? entry.env ?? entry.environment ?? entry.envs),
  };
  const cwd = typeof entry.cwd === 'string' ? { cwd: entry.cwd } : {};
  const envFile = typeof entry.envFile === 'string' ? { envFile: entry.envFile } : {};
  return { kind: 'stdio', command, args: args.map(String), env, ...envFile, ...cwd, disabled };
}

/** The headers, including those that Codex reads from variables. */
function headersOf(entry: Record<string, unknown>): Record<string, string> {
  const { bearer_token_env_var: bearer } = entry;
  const named = Object.entries(texts(entry.env_http_headers)).map(([header, name]) => [header, `\${${name}}`]);
  return {
    ...(typeof bearer === 'string' && { Authorization: `Bearer \${${bearer}}` }),
    ...Object.fromEntries(named),
    ...texts(entry.headers ?? entry.http_headers),
  };
}

/** True if the headers contain credentials. */
export function hasCredentials(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some(isCredential);
}

/** True for the name of a header that carries credentials. */
export function isCredential(header: string): boolean {
  return /^(authorization|x-api-)/i.test(header);
}

/** Variables that a client forwards under their own names. */
function passedThrough(names: readonly unknown[]): Record<string, string> {
  const known = names.filter((name) => typeof name === 'string');
  return Object.fromEntries(known.map((name) => [name, `\${${name}}`]));
}

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}
