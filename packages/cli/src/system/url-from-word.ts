import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** A word with such an extension is a file, not a host. */
const fileExtension = /\.(?:[cm]?[jt]sx?|json|py|toml|ya?ml)$/i;

/**
 * Parses a word as a URL, where it is one: `localhost:3000/mcp` and `example.com/mcp` need no scheme.
 * Loopback addresses get http, since nothing leaves this machine; all others get https.
 */
export function urlFromWord(word: string): string | undefined {
  if (/^https?:\/\//i.test(word)) return word;
  const [, host = '', port = '', rest = ''] = /^(\[[\d:a-f.]+\]|[\w.-]+)(:\d{1,5})?([/?].*)?$/i.exec(word) ?? [];
  if (host === '' || fileExtension.test(rest === '' ? host : rest)) return undefined;
  const isName = host.startsWith('[') || host === 'localhost' || /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z\d]{2,}$/i.test(host);
  const isNumber = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
  if (!isName && !isNumber && port === '') return undefined;
  const url = `${isLoopback(host) ? 'http' : 'https'}://${word}`;
  return URL.canParse(url) ? url : undefined;
}

/** True for names and addresses of this machine. */
function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i.test(host);
}

/** Adds the scheme to a URL, unless a file of that name exists. Returns other words unchanged. */
export function addScheme(word: string, cwd = process.cwd()): string {
  return existsSync(resolve(cwd, word)) ? word : (urlFromWord(word) ?? word);
}
