import { isRecord } from './edit.ts';

/** A server that its client starts. */
export interface StdioEntry {
  kind: 'stdio';
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
}

/** A server that its client reaches by an address. */
export interface HttpEntry {
  kind: 'http';
  url: string;
  headers: Record<string, string>;
}

export type ServerEntry = StdioEntry | HttpEntry;

/** Understands an entry as any of the clients writes it; `undefined` if it is none. */
export function readEntry(entry: unknown): (ServerEntry & { disabled: boolean }) | undefined {
  if (!isRecord(entry)) return undefined;
  const disabled = entry.disabled === true || entry.enabled === false;
  const [url] = [entry.httpUrl, entry.serverUrl, entry.url, entry.uri].filter((each) => typeof each === 'string');
  if (url !== undefined) {
    return { kind: 'http', url, headers: texts(entry.headers ?? entry.http_headers), disabled };
  }
  const [command, ...args] = [entry.command ?? entry.cmd, entry.args ?? []].flat();
  if (typeof command !== 'string' || command === '') return undefined;
  const env = texts(entry.env ?? entry.environment ?? entry.envs);
  const cwd = typeof entry.cwd === 'string' ? { cwd: entry.cwd } : {};
  return { kind: 'stdio', command, args: args.map(String), env, ...cwd, disabled };
}

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}
