import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Endings of files: what ends so is no host, and no path of one. */
const fileExtension = /\.(?:[cm]?[jt]sx?|json|py|toml|ya?ml)$/i;

/**
 * The URL that a word means, if it means one: `localhost:3000/mcp` and `example.com/mcp` are understood without a scheme.
 * Nobody but this machine hears what is said to itself, so there it is http; anywhere else it is https.
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

/** True for names of this machine. */
function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i.test(host);
}

/** The same, unless a file of that name is there; a word that means no URL stays as it is. */
export function addScheme(word: string, cwd = process.cwd()): string {
  return existsSync(resolve(cwd, word)) ? word : (urlFromWord(word) ?? word);
}
