import { type Dirent, lstatSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { fileError, FileError, printable } from './file-error.ts';
import { readText } from './files.ts';
import type { NamePattern } from './name-pattern.ts';
import { trashName } from './trash.ts';
import type { Place, WalkOptions } from './walk.ts';
import { limits } from '../limits.ts';

const maxMs = limits.ccmcp.searchMs.value;
const maxEntries = limits.ccmcp.searchedEntries.value;
const maxText = limits.ccmcp.searchedText.value;
const maxMatches = limits.ccmcp.matches.value;
const maxLine = limits.ccmcp.matchedLine.value;
/** So long may others have to wait, in milliseconds. */
const pace = 10;

/** Folders that are passed over unless the search begins in them. */
export const skippedFolders: readonly string[] = ['.git', 'node_modules', trashName];

/** What is sought: names, or a text in files whose names match. */
export interface SearchOptions {
  readonly name?: NamePattern | undefined;
  readonly text?: string | undefined;
  readonly ignoreCase: boolean;
}

/** What was found, a line each, and what the search left out. */
export interface SearchResult {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** Searches a folder with all that is in it, or one file. Pauses now and then, to let others work. */
export function* searchFiles(
  place: Place,
  visit: WalkOptions,
  { names, wanted }: { names: readonly string[]; wanted: SearchOptions },
): Generator<void, SearchResult> {
  const { directory, name, stats } = place;
  if (stats === undefined) throw fileError('Directory not found', visit.path);
  const search = new Search(visit, wanted, names);
  if (!stats.isDirectory()) {
    if (wanted.text === undefined) throw fileError('Not a directory', visit.path);
    search.lookInto(directory, name, names);
    return search.found();
  }
  const folder = name === '.' ? directory : directory.enter(name);
  if (folder !== directory) visit.opened.push(folder);
  yield* search.goThrough(folder, []);
  return search.found();
}

class Search {
  readonly #visit: WalkOptions;
  readonly #wanted: SearchOptions;
  readonly #start: readonly string[];
  readonly #sought: string | undefined;
  readonly #deadline = performance.now() + maxMs;
  readonly #lines: string[] = [];
  readonly #over = new Set<string>();
  #paused = performance.now();
  #entries = 0;
  #bytes = 0;
  #unread = 0;
  #stopped: string | undefined;

  constructor(visit: WalkOptions, wanted: SearchOptions, start: readonly string[]) {
    this.#visit = visit;
    this.#wanted = wanted;
    this.#start = start;
    this.#sought = wanted.ignoreCase ? wanted.text?.toLowerCase() : wanted.text;
  }

  *goThrough(folder: Directory, way: readonly string[]): Generator<void> {
    for (const entry of this.#entriesOf(folder)) {
      if (this.#isOver()) return;
      if (performance.now() - this.#paused > pace) {
        yield;
        this.#paused = performance.now();
      }
      const names = [...way, entry.name];
      this.#look(folder, entry, names);
      if (!entry.isDirectory()) continue;
      if (skippedFolders.includes(entry.name)) this.#over.add(entry.name);
      else yield* this.#goInto(folder, entry.name, names);
    }
  }

  *#goInto(folder: Directory, name: string, names: readonly string[]): Generator<void> {
    let below: Directory;
    try {
      below = folder.enter(name);
    } catch {
      this.#unread += 1;
      return;
    }
    try {
      yield* this.goThrough(below, names);
    } finally {
      below.close();
    }
  }

  /** Looks for the text in a file; one that can't be read is counted. */
  lookInto(folder: Directory, name: string, names: readonly string[]): void {
    try {
      const stats = lstatSync(folder.path(name), { throwIfNoEntry: false });
      const text = readText({ directory: folder, name, stats }, this.#visit);
      this.#bytes += text.length;
      this.#linesWith(text, names);
    } catch (error) {
      if (!(error instanceof FileError || (error instanceof Error && 'syscall' in error))) throw error;
      this.#unread += 1;
    }
  }

  found(): SearchResult {
    const notes = [
      ...(this.#stopped === undefined ? [] : [`Stopped: ${this.#stopped}. Search more narrowly to see the rest.`]),
      ...(this.#unread === 0
        ? []
        : [`Not searched: ${this.#unread} that can't be read, are larger than 1 MB or are no text.`]),
      ...(this.#over.size === 0
        ? []
        : [`Passed over: ${[...this.#over].toSorted().join(', ')}. Give one as path to search it.`]),
    ];
    return { lines: this.#lines, notes };
  }

  #entriesOf(folder: Directory): Dirent[] {
    try {
      return folder.list().toSorted((one, other) => Number(one.name > other.name) - Number(one.name < other.name));
    } catch {
      this.#unread += 1;
      return [];
    }
  }

  #isOver(): boolean {
    this.#entries += 1;
    if (this.#entries > maxEntries) this.#stopped ??= `${maxEntries} entries seen`;
    if (this.#bytes > maxText) this.#stopped ??= 'enough text read';
    if (performance.now() > this.#deadline) this.#stopped ??= `${maxMs / 1000} seconds are over`;
    return this.#stopped !== undefined;
  }

  #look(folder: Directory, entry: Dirent, names: readonly string[]): void {
    if (this.#wanted.name?.(names) === false) return;
    if (this.#sought === undefined) this.#add(`${entry.isDirectory() ? 'D' : 'F'} ${this.#shown(names)}`);
    else if (entry.isFile()) this.lookInto(folder, entry.name, [...this.#start, ...names]);
  }

  /** One line of the result for each line of the file that has the text. */
  #linesWith(text: string, names: readonly string[]): void {
    const sought = this.#sought as string;
    const searched = this.#wanted.ignoreCase ? text.toLowerCase() : text;
    // Lower case may be longer: then places in one are not places in the other, and lines are counted in what was searched.
    const shown = searched.length === text.length ? text : searched;
    let line = 1;
    let counted = 0;
    for (let at = searched.indexOf(sought); at !== -1 && this.#stopped === undefined; ) {
      for (let end = shown.indexOf('\n', counted); end !== -1 && end < at; end = shown.indexOf('\n', counted)) {
        line += 1;
        counted = end + 1;
      }
      const end = shown.indexOf('\n', at);
      const whole = shown.slice(counted, end === -1 ? undefined : end);
      this.#add(`${printable(names.join('/'))}:${line}: ${excerpt(whole, at - counted)}`);
      at = end === -1 ? -1 : searched.indexOf(sought, end + 1);
    }
  }

  #shown(names: readonly string[]): string {
    return printable([...this.#start, ...names].join('/'));
  }

  #add(line: string): void {
    if (this.#lines.length >= maxMatches) this.#stopped ??= `${maxMatches} found`;
    else this.#lines.push(line);
  }
}

/** As much of a line as can be shown, around the place where the text is. */
function excerpt(line: string, at: number): string {
  if (line.length <= maxLine) return printable(line.trim());
  const from = Math.max(0, Math.min(at - maxLine / 4, line.length - maxLine));
  const until = from + maxLine;
  return printable(`${from > 0 ? '…' : ''}${line.slice(from, until).trim()}${until < line.length ? '…' : ''}`);
}
