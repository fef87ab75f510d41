import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A parsed stack: the error, and the frames in the user's own files. */
export interface UserStack {
  message: string;
  /** Lines such as `at handler (server.js:12:5)`, the innermost first. */
  frames: string[];
}

const maxFrames = 4;

/** Keeps the frames of the user's files and drops those of Node, of packages and of ccmcp. */
export function userStack(stack: string): UserStack {
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const message = lines.slice(0, first === -1 ? undefined : first);
  const frames = first === -1 ? [] : lines.slice(first).filter((line) => /^\s+at /.test(line));
  const own = frames.filter(isUserFrame).map(formatFrame);
  return { message: message.join('\n').trim(), frames: [...new Set(own)].slice(0, maxFrames) };
}

/** The innermost frame in the user's own files, such as `server.js:12:5`. */
export function userLocation(stack: string): string | undefined {
  const [first] = userStack(stack).frames;
  return first?.replace(/^at (?:async )?(?:[^/]* \((.*)\)|(.*))$/, '$1$2');
}

const position = /(?<=\(|\s)(file:\/\/\S*?|(?:\/|[A-Za-z]:\\).*?):(\d+):(\d+)\)?$/;

function isUserFrame(frame: string): boolean {
  const [, place = ''] = position.exec(frame) ?? [];
  if (place === '' || /[\\/]node_modules[\\/]/.test(place)) return false;
  return !isInCcmcp(pathOf(place));
}

function formatFrame(frame: string): string {
  return frame.trim().replace(position, (whole, place: string, line: string, column: string) => {
    return `${relativePath(pathOf(place))}:${line}:${column}${whole.endsWith(')') ? ')' : ''}`;
  });
}

function pathOf(place: string): string {
  if (!place.startsWith('file://')) return place;
  try {
    // Reloaded modules have a version in their URL.
    return fileURLToPath(place.replace(/[?#].*$/, ''));
  } catch {
    return place;
  }
}

/** A path relative to the working directory. */
function relativePath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

/** Whether a file is part of ccmcp: in a clone its packages are not in node_modules. */
function isInCcmcp(path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = packageName(folder);
    if (name !== undefined) return name === 'ccmcp' || name.startsWith('@ccmcp/');
  }
  return false;
}

function packageName(folder: string): string | undefined {
  try {
    const { name = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return String(name);
  } catch {
    return undefined;
  }
}
