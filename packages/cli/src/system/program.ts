import { win32 } from 'node:path';

/** A program with its arguments. */
export interface Program {
  command: string;
  args: readonly string[];
}

/** The name of a program without its folder and the extension of Windows. */
export function programName(command: string): string {
  return win32
    .basename(command)
    .replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}

/** Runtimes that run script files. */
const runners = /^(?:node|nodejs|deno|bun|tsx|ts-node|py|python[\d.]*|pypy[\d.]*|uv|ruby|perl|php)$/;
/** Their options that are followed by a value. */
const withValue = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '--env-file',
  '--config',
  '-C',
  '-W',
  '-X',
]);
/** Options after which no script follows: inline code, a module name, another folder. */
const noScript = /^(?:-e|--eval|-p|--print|-c|-m|--directory=.*|--cwd=.*)$/s;
const scriptFile = /\.(?:[cm]?[jt]sx?|py|rb|pl|php)$/i;

/** The script that a runtime such as node runs, as typed; undefined for other programs. */
export function scriptIn({ command, args }: Program): string | undefined {
  if (!runners.test(programName(command))) return undefined;
  const words = args.filter((_, index) => !withValue.has(args[index - 1] ?? ''));
  const first = words.find((word) => noScript.test(word) || (word !== 'run' && !word.startsWith('-'))) ?? '';
  return scriptFile.test(first) && !noScript.test(first) && !/^\w{2,}:/.test(first) ? first : undefined;
}

/** True if a command may have to download its program first, as npx does. */
export function mayDownload({ command, args }: Program): boolean {
  const program = programName(command);
  if (/^(?:npx|bunx|pnpx|uvx|dnx|docker|podman)$/.test(program)) return true;
  const [first = '', second = ''] = args;
  if (program === 'cmd') return /^\/[cs]$/i.test(first) && mayDownload({ command: second, args: args.slice(2) });
  const rest = `${program} ${first} `;
  return /^(?:(?:npm|pnpm|yarn|bun) (?:x|exec|dlx)|uv (?:run|tool)|pipx run|deno run) /.test(rest);
}
