import { type Dirent, lstatSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { trashName } from './entries.ts';
import { fileError, FileError, printable } from './file-error.ts';
import { readText } from './files.ts';
import type { ResolvedPath, WalkOptions } from './walk.ts';

const maxMs = 10_000;
const maxEntries = 100_000;
const maxText = 64 * 1024 * 1024;
/** The maximum number of matches. */
export const maxMatches = 200;
const maxLine = 200;
/** The time between pauses, in milliseconds. */
const pauseIntervalMs = 10;

/** Folders that are skipped unless the search starts in them. */
export const skippedFolders: readonly string[] = ['.git', 'node_modules', trashName];

/** The criteria: names, or a text in files with matching names. */
export interface SearchOptions {
  readonly name?: NamePattern | undefined;
  readonly text?: string | undefined;
  readonly ignoreCase: boolean;
}

/** The matches, one per line, and notes on what was skipped. */
export interface SearchResult {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** Searches a folder recursively, or one file. Yields regularly, so that the event loop is not blocked. */
export function* searchFiles(
  resolved: ResolvedPath,
  options: WalkOptions,
  { names, wanted }: { names: readonly string[]; wanted: SearchOptions },
): Generator<void, SearchResult> {
  const { directory, name, stats } = resolved;
  if (stats === undefined) throw fileError('Directory not found', options.path);
  const search = new Search(options, wanted, names);
  if (!stats.isDirectory()) {
    if (wanted.text === undefined) throw fileError('Not a directory', options.path);
    search.searchFile(directory, name, names);
    return search.result();
  }
  const folder = name === '.' ? directory : directory.enter(name);
  if (folder !== directory) options.opened.push(folder);
  yield* search.searchFolder(folder, []);
  return search.result();
}

class Search {
  readonly #options: WalkOptions;
  readonly #wanted: SearchOptions;
  readonly #start: readonly string[];
  readonly #needle: string | undefined;
  readonly #deadline = performance.now() + maxMs;
  readonly #lines: string[] = [];
  readonly #skipped = new Set<string>();
  #paused = performance.now();
  #entries = 0;
  #bytes = 0;
  #unreadable = 0;
  #stopped: string | undefined;

  constructor(options: WalkOptions, wanted: SearchOptions, start: readonly string[]) {
    this.#options = options;
    this.#wanted = wanted;
    this.#start = start;
    this.#needle = wanted.ignoreCase ? wanted.text?.toLowerCase() : wanted.text;
  }

  *searchFolder(folder: Directory, path: readonly string[]): Generator<void> {
    for (const entry of this.#entriesOf(folder)) {
      if (this.#reachedLimit()) return;
      if (performance.now() - this.#paused > pauseIntervalMs) {
        yield;
        this.#paused = performance.now();
      }
      const names = [...path, entry.name];
      this.#searchEntry(folder, entry, names);
      if (!entry.isDirectory()) continue;
      if (skippedFolders.includes(entry.name)) this.#skipped.add(entry.name);
      else yield* this.#searchSubfolder(folder, entry.name, names);
    }
  }

  *#searchSubfolder(folder: Directory, name: string, names: readonly string[]): Generator<void> {
    let below: Directory;
    try {
      below = folder.enter(name);
    } catch {
      this.#unreadable += 1;
      return;
    }
    try {
      yield* this.searchFolder(below, names);
    } finally {
      below.close();
    }
  }

  /** Searches a file; counts one that can't be read. */
  searchFile(folder: Directory, name: string, names: readonly string[]): void {
    try {
      const stats = lstatSync(folder.path(name), { throwIfNoEntry: false });
      const text = readText({ directory: folder, name, stats }, this.#options);
      this.#bytes += text.length;
      this.#addMatches(text, names);
    } catch (error) {
      if (!(error instanceof FileError || (error instanceof Error && 'syscall' in error))) throw error;
      this.#unreadable += 1;
    }
  }

  result(): SearchResult {
    const notes = [
      ...(this.#stopped === undefined ? [] : [`Stopped: ${this.#stopped}. Search more narrowly to see the rest.`]),
      ...(this.#unreadable === 0
        ? []
        : [`Not searched: ${this.#unreadable} that can't be read, are larger than 1 MB or are no text.`]),
      ...(this.#skipped.size === 0
        ? []
        : [`Passed over: ${[...this.#skipped].toSorted().join(', ')}. Give one as path to search it.`]),
    ];
    return { lines: this.#lines, notes };
  }

  #entriesOf(folder: Directory): Dirent[] {
    try {
      return folder.list().toSorted((one, other) => Number(one.name > other.name) - Number(one.name < other.name));
    } catch {
      this.#unreadable += 1;
      return [];
    }
  }

  #reachedLimit(): boolean {
    this.#entries += 1;
    if (this.#entries > maxEntries) this.#stopped ??= `${maxEntries} entries seen`;
    if (this.#bytes > maxText) this.#stopped ??= 'enough text read';
    if (performance.now() > this.#deadline) this.#stopped ??= `${maxMs / 1000} seconds are over`;
    return this.#stopped !== undefined;
  }

  #searchEntry(folder: Directory, entry: Dirent, names: readonly string[]): void {
    if (this.#wanted.name?.(names) === false) return;
    if (this.#needle === undefined) this.#add(`${entry.isDirectory() ? 'D' : 'F'} ${this.#formatPath(names)}`);
    else if (entry.isFile()) this.searchFile(folder, entry.name, [...this.#start, ...names]);
  }

  /** Adds one match per line that contains the text. */
  #addMatches(text: string, names: readonly string[]): void {
    const needle = this.#needle as string;
    const searched = this.#wanted.ignoreCase ? text.toLowerCase() : text;
    // Lower case may be longer, so that positions differ: then the lowercase text is shown.
    const shown = searched.length === text.length ? text : searched;
    let line = 1;
    let counted = 0;
    for (let at = searched.indexOf(needle); at !== -1 && this.#stopped === undefined; ) {
      for (let end = shown.indexOf('\n', counted); end !== -1 && end < at; end = shown.indexOf('\n', counted)) {
        line += 1;
        counted = end + 1;
      }
      const end = shown.indexOf('\n', at);
      const whole = shown.slice(counted, end === -1 ? undefined : end);
      this.#add(`${printable(names.join('/'))}:${line}: ${excerpt(whole, at - counted)}`);
      at = end === -1 ? -1 : searched.indexOf(needle, end + 1);
    }
  }

  #formatPath(names: readonly string[]): string {
    return printable([...this.#start, ...names].join('/'));
  }

  #add(line: string): void {
    if (this.#lines.length >= maxMatches) this.#stopped ??= `${maxMatches} found`;
    else this.#lines.push(line);
  }
}

/** Shortens a line around the match. */
function excerpt(line: string, at: number): string {
  if (line.length <= maxLine) return printable(line.trim());
  const from = Math.max(0, Math.min(at - maxLine / 4, line.length - maxLine));
  const until = from + maxLine;
  return printable(`${from > 0 ? '…' : ''}${line.slice(from, until).trim()}${until < line.length ? '…' : ''}`);
}

/** The maximum length of a pattern. */
export const maxPatternLength = 200;
const maxAlternatives = 64;

/** Matches a path, as names below the searched folder. */
export type NamePattern = (names: readonly string[]) => boolean;

/**
 * Compiles a name pattern: `*` is any text, `?` one character, `{a,b}` either. With a slash it matches the path below the
 * searched folder, with `**` for any folders; without one it matches the last name.
 */
export function namePattern(pattern: string, { ignoreCase }: { ignoreCase: boolean }): NamePattern {
  if (pattern.length > maxPatternLength)
    throw new FileError(`The name pattern is longer than ${maxPatternLength} characters`);
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const alternatives = alternativesOf(fold(pattern)).map((one) => one.split('/').filter((part) => !/^\.?$/.test(part)));
  const matchesPath = pattern.includes('/');
  return (names) => {
    const given = (matchesPath ? names : names.slice(-1)).map(fold);
    return alternatives.some((parts) => matchesParts(parts, given));
  };
}

function alternativesOf(pattern: string): string[] {
  const [, before = '', choices, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  const all = choices.split(',').flatMap((choice) => alternativesOf(`${before}${choice}${after}`));
  if (all.length > maxAlternatives)
    throw new FileError(`The name pattern has more than ${maxAlternatives} alternatives`);
  return all;
}

/** Matches any number of names with `**`, and one with any other part. */
function matchesParts(parts: readonly string[], names: readonly string[]): boolean {
  return matches(parts, names, { many: (part) => part === '**', one: matchesName });
}

function matchesName(part: string, name: string): boolean {
  return matches(Array.from(part), Array.from(name), {
    many: (character) => character === '*',
    one: (character, found) => character === '?' || character === found,
  });
}

interface Wildcards {
  many(part: string): boolean;
  one(part: string, found: string): boolean;
}

/** Backtracks only to the last wildcard, so that the time is bounded by the product of both lengths. */
function matches(parts: readonly string[], found: readonly string[], { many, one }: Wildcards): boolean {
  let part = 0;
  let at = 0;
  let retry: { part: number; at: number } | undefined;
  while (at < found.length) {
    const current = parts[part];
    if (current !== undefined && many(current)) {
      retry = { part, at };
      part += 1;
    } else if (current !== undefined && one(current, found[at] as string)) {
      part += 1;
      at += 1;
    } else if (retry !== undefined) {
      retry.at += 1;
      part = retry.part + 1;
      at = retry.at;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(many);
}
