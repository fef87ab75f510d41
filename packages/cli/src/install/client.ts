import { existsSync } from 'node:fs';
import type { HttpEntry, StdioEntry } from './server-entry.ts';
import type { Path, Syntax } from './config-file/syntax.ts';
import type { VariableSyntax } from './variables.ts';
import type { Location } from '../util/environment.ts';

/** Whether an entry is for all that somebody does, or for one folder. */
export type Scope = 'user' | 'project';

/** What a client asks of a server's name beyond what all of them do. */
export interface NameRule {
  fits: RegExp;
  /** What is wrong with a name that doesn't fit. */
  says: string;
}

/** A program that MCP servers can be put into. */
export interface Client {
  title: string;
  syntax: Syntax;
  /** It reads plain JSON: a comment or a trailing comma makes it ignore the whole file. */
  refusesComments?: true;
  /** Its file for each scope it knows. Of several, the first that exists is meant, or else the first. */
  files: Partial<Record<Scope, (place: Location) => string[]>>;
  /** Where in the file the servers stand, which may depend on what the file says. */
  table(settings: unknown): Path;
  /** More places with servers, which are looked at but not written to. */
  otherTables?(place: Location): Path[];
  names?: NameRule;
  /** How long the names of a server and of a tool may be together, where it drops the tool otherwise. */
  longestTool?: number;
  /** What of an entry it fills in before it uses it. */
  marks: VariableSyntax;
  stdio(entry: StdioEntry, name: string): object;
  /** Absent where the file has no place for such servers. Where values refer to variables, both write that in its own way. */
  http?(entry: HttpEntry, name: string): object;
  /** What somebody must do before a change is seen. */
  afterwards: string;
}

/** The file that a client reads in a scope; `undefined` if it knows no such scope. */
export function fileOf(client: Client, scope: Scope, place: Location): string | undefined {
  const candidates = client.files[scope]?.(place) ?? [];
  return candidates.find((path) => existsSync(path)) ?? candidates[0];
}
