import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Directory } from './directory.ts';
import { fileError } from './file-error.ts';
import { leadsOutside, namesBelow, namesIn } from './sandbox-path.ts';
import { limits } from '../limits.ts';

const maxLinks = limits.ccmcp.links.value;

/** Where a path leads: an entry of a directory inside the root, and a link only where the visit is to links too. */
export interface Place {
  readonly directory: Directory;
  /** `.` if the path leads to the directory itself. */
  readonly name: string;
  /** Undefined if there is no such entry yet. */
  readonly stats: Stats | undefined;
}

/** One use of a path. */
export interface WalkOptions {
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  /** How the root is spelled in absolute paths. */
  readonly roots: readonly string[];
  /** What may not be left, for messages. Default: the root. */
  readonly where?: string | undefined;
  /** Receives what is opened on the way, to be closed after use. */
  readonly opened: Directory[];
  /** The path may lead to a link itself: what is moved or removed is the link, not what it leads to. */
  readonly toLinks?: true;
  /** Makes what is missing on the way, and at its end. */
  readonly make?: (directory: Directory, name: string) => void;
}

/**
 * Goes from a directory along names to a place, one name at a time, following links by itself: each link is read where
 * it stands and its target walked the same way, so that `..` in a target can't climb over the root.
 */
export function walk(from: Directory, names: readonly string[], visit: WalkOptions): Place {
  const { path, roots, where, opened, toLinks, make } = visit;
  let here = from;
  let links = 0;
  const pending = names.map((name, index) => ({ name, given: index + 1 })).toReversed();
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { name, given } = step;
    if (name === '..') {
      if (here.parent === undefined) throw leadsOutside(path, where);
      here = here.parent;
      continue;
    }
    let stats = lstatSync(here.path(name), { throwIfNoEntry: false });
    if (stats === undefined && make !== undefined) {
      make(here, name);
      stats = lstatSync(here.path(name));
    }
    if (stats?.isSymbolicLink() && !(toLinks && pending.length === 0)) {
      links += 1;
      if (links > maxLinks) throw fileError('Too many symbolic links in the path', path);
      const target = readlinkSync(here.path(name));
      const inside = isAbsolute(target) ? namesBelow(target, roots) : namesIn(target);
      if (inside === undefined) throw leadsOutside(path, where);
      if (isAbsolute(target)) here = rootOf(here);
      pending.push(...inside.toReversed().map((next) => ({ name: next, given })));
      continue;
    }
    if (pending.length === 0) return { directory: here, name, stats };
    if (!stats?.isDirectory()) {
      throw fileError(stats === undefined ? 'Directory not found' : 'Not a directory', names.slice(0, given).join('/'));
    }
    here = here.enter(name);
    opened.push(here);
  }
  return { directory: here, name: '.', stats: lstatSync(here.path('.')) };
}

/** The directory that nothing leads above. */
export function rootOf(directory: Directory): Directory {
  let top = directory;
  while (top.parent !== undefined) top = top.parent;
  return top;
}
