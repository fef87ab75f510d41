import { existsSync } from 'node:fs';
import type { HttpEntry, StdioEntry } from './server-entry.ts';
import type { Path, Syntax } from './config-file/syntax.ts';
import type { VariableSyntax } from './variables.ts';
import type { Location } from '../util/environment.ts';

/** Whether an entry is for the user, or for one folder. */
export type Scope = 'user' | 'project';

/** A rule for names that only this client has. */
export interface NameRule {
  fits: RegExp;
  /** The problem with a name that doesn't match. */
  says: string;
}

/** A program that MCP servers can be installed into. */
export interface Client {
  title: string;
  syntax: Syntax;
  /** It reads plain JSON: a comment or a trailing comma makes it ignore the whole file. */
  refusesComments?: true;
  /** Its file for each scope. Of several, the first that exists, or else the first. */
  files: Partial<Record<Scope, (place: Location) => string[]>>;
  /** The path of the servers in the file; it may depend on the content. */
  table(settings: unknown): Path;
  /** More paths with servers, which are read but not written. */
  otherTables?(place: Location): Path[];
  names?: NameRule;
  /** How long the names of a server and of a tool may be together, where it drops the tool otherwise. */
  longestTool?: number;
  /** The variables that it substitutes in an entry. */
  marks: VariableSyntax;
  stdio(entry: StdioEntry, name: string): object;
  /** Absent where the file has no place for such servers. Where values refer to variables, both write that in its own way. */
  http?(entry: HttpEntry, name: string): object;
  /** What the user must do for a change to take effect. */
  afterwards: string;
}

/** The file that a client reads in a scope; `undefined` if it knows no such scope. */
export function fileOf(client: Client, scope: Scope, place: Location): string | undefined {
  const candidates = client.files[scope]?.(place) ?? [];
  return candidates.find((path) => existsSync(path)) ?? candidates[0];
}
