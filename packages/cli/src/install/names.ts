import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { slug } from '../system/slug.ts';
import type { Client } from '../config/clients.ts';
import { UsageError } from '../command/usage-error.ts';
import { programName, scriptIn } from '../system/program.ts';
import type { Location } from '../system/environment.ts';

/**
 * Clients prefix tool names with the server's name, and models accept 64 characters for both. Cursor drops tools above
 * 60.
 */
const maxLength = 32;
/** Generated names are shorter. */
const maxGenerated = 24;

/** Rejects a name that the client would reject or misread, and suggests a valid one. */
export function checkName(name: string, { title, names }: Client): void {
  if (name === '') throw new UsageError('a name must not be empty');
  const problem = problemWith(name) ?? (names === undefined || names.fits.test(name) ? undefined : names.says);
  if (problem === undefined) return;
  throw new UsageError(
    `"${name}" is no name for a server in ${title}: ${problem}; "--name ${legalName(name)}" will do`,
  );
}

function problemWith(name: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'clients take letters, digits, "-" and "_"';
  if (!/^[A-Za-z0-9]/.test(name)) return 'it must begin with a letter or a digit';
  if (name.length <= maxLength) return undefined;
  return `with more than ${maxLength} characters too little room is left for the names of its tools`;
}

/** A name that every client accepts, as close to the text as possible. */
export function legalName(text: string): string {
  const words = slug(text);
  const cut = words.length > maxGenerated ? words.slice(0, maxGenerated + 1).replace(/-[^-]*$/, '') : words;
  return cut.slice(0, maxGenerated).replace(/-+$/, '') || 'server';
}

/** Generic names of files, folders and packages. */
const genericName = /^(?:server|index|main|app|cli|start|run|mcp|mcp-?server|src|dist|lib|build|out|bin|\d.*)$/i;

/** The default name of a server in a file: that of the file, its package or its folder. */
export function nameOfFile(path: string, { platform }: Pick<Location, 'platform'>): string {
  const { basename, dirname, extname, join } = platform === 'win32' ? win32 : posix;
  const own = basename(path, extname(path));
  if (!genericName.test(own)) return shortName(own);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = packageName(join(folder, 'package.json')) ?? basename(folder);
    const baseName = name.replace(/^@[^/]*\//, '');
    if (!genericName.test(baseName)) return shortName(baseName);
  }
  return shortName(own);
}

/** The default name of a server at a URL: its domain, or the port on this machine. */
export function nameOfUrl({ hostname, port }: URL): string {
  if (hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname)) return legalName(`local-${port}`);
  const labels = hostname.split('.').filter((label) => !/^(?:www|mcp|api)$/.test(label));
  const endings = labels.length > 2 && /^(?:ac|co|com|edu|gov|net|or|org)$/.test(labels.at(-2) ?? '') ? 2 : 1;
  return shortName(labels.at(-1 - endings) ?? labels[0] ?? hostname);
}

/** The default name of a server that a command starts: its package, image, module or file. */
export function nameOfCommand(
  command: string,
  args: readonly string[],
  location: Pick<Location, 'platform' | 'cwd'>,
): string {
  const program = programName(command);
  const words = args.filter((argument) => !argument.startsWith('-'));
  const { resolve } = location.platform === 'win32' ? win32 : posix;
  const script = scriptIn({ command, args });
  if (script !== undefined) return nameOfFile(resolve(location.cwd, script), location);
  const module = args[args.indexOf('-m') + 1];
  if (/^py(?:thon[\d.]*)?$/.test(program) && args.includes('-m') && module !== undefined) return shortName(module);
  if (/^(?:docker|podman)$/.test(program)) return shortName(imageIn(words) ?? program);
  if (/^(?:npx|bunx|pnpx|uvx|pipx|dnx|npm|pnpm|yarn|bun|uv|deno)$/.test(program)) {
    const wanted = words.find((word) => !/^(?:x|exec|dlx|run|tool|cmd)$/.test(word));
    return shortName(withoutVersion(wanted ?? program));
  }
  return shortName(program);
}

function packageName(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Of the words of `docker run`, the image is the one with a path, or the last. */
function imageIn(words: readonly string[]): string | undefined {
  const withPath = words.findLast((word) => /^[\w-][\w.-]*\//.test(word) && !word.includes('='));
  return withoutVersion(withPath ?? words.at(-1) ?? '') || undefined;
}

/** `@scope/name@1.2` and `host/name:tag` are both called `name`. */
function withoutVersion(text: string): string {
  const [, last = text] = /([^/]+)$/.exec(text.replace(/^npm:/, '')) ?? [];
  return last.split(/[@:=[]/, 1)[0] ?? last;
}

/** Drops "mcp", which every name could have, and "server" next to it or in front. */
function shortName(text: string): string {
  const name = legalName(text.replaceAll('.', '-').replace(/^@[^/]*\//, ''));
  const bare = name.replace(/^(?:mcp-server|server|mcp)-/, '').replace(/-(?:mcp-server|mcp)$/, '');
  return genericName.test(bare) ? name : legalName(bare);
}
