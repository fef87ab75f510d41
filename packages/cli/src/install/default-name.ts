import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { programName, scriptOf } from '../programs.ts';
import { legalName } from './names.ts';
import type { Place } from './world.ts';

/** Words that say nothing about what a file, a folder or a package is for. */
const sayNothing = /^(?:server|index|main|app|cli|start|run|mcp|mcp-?server|src|dist|lib|build|out|bin|\d.*)$/i;

/** What a server is called that lies in a file, given by its full path: after the file, its package or its folder. */
export function nameOfFile(path: string, { platform }: Pick<Place, 'platform'>): string {
  const { basename, dirname, extname, join } = platform === 'win32' ? win32 : posix;
  const own = basename(path, extname(path));
  if (!sayNothing.test(own)) return short(own);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = packageName(join(folder, 'package.json')) ?? basename(folder);
    const spoken = name.replace(/^@[^/]*\//, '');
    if (!sayNothing.test(spoken)) return short(spoken);
  }
  return short(own);
}

/** What a server is called that is at an address: after its owner, or the port where it is this machine. */
export function nameOfUrl({ hostname, port }: URL): string {
  if (hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname)) return legalName(`local-${port}`);
  const labels = hostname.split('.').filter((label) => !/^(?:www|mcp|api)$/.test(label));
  const endings = labels.length > 2 && /^(?:ac|co|com|edu|gov|net|or|org)$/.test(labels.at(-2) ?? '') ? 2 : 1;
  return short(labels.at(-1 - endings) ?? labels[0] ?? hostname);
}

/** What a server is called that a command starts: after the package, image, module or file that it runs. */
export function nameOfCommand(
  command: string,
  args: readonly string[],
  place: Pick<Place, 'platform' | 'cwd'>,
): string {
  const program = programName(command);
  const words = args.filter((argument) => !argument.startsWith('-'));
  const { resolve } = place.platform === 'win32' ? win32 : posix;
  const script = scriptOf({ command, args });
  if (script !== undefined) return nameOfFile(resolve(place.cwd, script), place);
  const module = args[args.indexOf('-m') + 1];
  if (/^py(?:thon[\d.]*)?$/.test(program) && args.includes('-m') && module !== undefined) return short(module);
  if (/^(?:docker|podman)$/.test(program)) return short(imageIn(words) ?? program);
  if (/^(?:npx|bunx|pnpx|uvx|pipx|dnx|npm|pnpm|yarn|bun|uv|deno)$/.test(program)) {
    const wanted = words.find((word) => !/^(?:x|exec|dlx|run|tool|cmd)$/.test(word));
    return short(withoutVersion(wanted ?? program));
  }
  return short(program);
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

/** That it is a server of MCP goes without saying among servers of MCP; what else is called a server keeps its name. */
function short(text: string): string {
  const name = legalName(text.replaceAll('.', '-').replace(/^@[^/]*\//, ''));
  const bare = name.replace(/^(?:mcp-server|server|mcp)-/, '').replace(/-(?:mcp-server|mcp)$/, '');
  return sayNothing.test(bare) ? name : legalName(bare);
}
