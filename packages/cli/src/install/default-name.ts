import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { programName, scriptIn } from '../util/program.ts';
import { legalName } from './names.ts';
import type { Location } from '../util/environment.ts';

/** Generic names of files, folders and packages. */
const genericName = /^(?:server|index|main|app|cli|start|run|mcp|mcp-?server|src|dist|lib|build|out|bin|\d.*)$/i;

/** The default name of a server in a file: that of the file, its package or its folder. */
export function nameOfFile(path: string, { platform }: Pick<Location, 'platform'>): string {
  const { basename, dirname, extname, join } = platform === 'win32' ? win32 : posix;
  const own = basename(path, extname(path));
  if (!genericName.test(own)) return shortName(own);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = packageName(join(folder, 'package.json')) ?? basename(folder);
    const spoken = name.replace(/^@[^/]*\//, '');
    if (!genericName.test(spoken)) return shortName(spoken);
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
  place: Pick<Location, 'platform' | 'cwd'>,
): string {
  const program = programName(command);
  const words = args.filter((argument) => !argument.startsWith('-'));
  const { resolve } = place.platform === 'win32' ? win32 : posix;
  const script = scriptIn({ command, args });
  if (script !== undefined) return nameOfFile(resolve(place.cwd, script), place);
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
