import { hyphenated } from '../hyphenated.ts';

/** The longest name: clients put it before the names of tools, and some drop tools whose names are too long then. */
const longest = 40;

/** Names that a folder can't have on Windows. */
const devices = /^(?:aux|con|nul|prn|com\d|lpt\d)$/;

/** Names that npm needs for something else. */
const taken = ['node_modules', 'typescript'];

/** What is wrong with a project's name, in words; undefined for a good one. It must please npm, every client and every disk. */
export function problemOfName(name: string): string | undefined {
  if (name.length > longest) return `"${name.slice(0, longest)}…" is too long: take at most ${longest} letters`;
  if (devices.test(name) || taken.includes(name))
    return `"${name}" means something else to npm or to Windows: take another name`;
  if (/^[a-z][a-z\d-]*$/.test(name) && !name.endsWith('-')) return undefined;
  const better = hyphenated(name);
  const suggestion = better === '' ? '' : `, such as "${better}"`;
  return `"${name}" is no good name: take small letters, digits and hyphens, beginning with a letter${suggestion}`;
}
