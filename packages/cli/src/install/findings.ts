import { existsSync } from 'node:fs';
import type { NamedClient } from './arguments.ts';
import { fileOf, type Scope } from './clients.ts';
import { readConfigFile } from './config-file.ts';
import { isRecord, valueAt } from './edit.ts';
import { type Answer, LoginWanted, probe } from './probe.ts';
import { readEntry, type ServerEntry } from './server-entry.ts';
import type { Path } from './syntax.ts';
import { Untriable, withVariables } from './variables.ts';
import type { Place } from './world.ts';

/** How a server is: it works, doesn't, is switched off, or can't be tried from here. */
export type Health = 'ok' | 'failed' | 'off' | 'untried';

/** What was found out about one server. */
export interface ServerFinding {
  name: string;
  health: Health;
  /** Why, where it does not simply work. */
  reason?: string;
  answer?: Answer;
}

/** What was found out about one file. */
export interface FileFinding {
  client: string;
  title: string;
  path: string;
  /** Why it can't be read. */
  problem?: string;
  servers: ServerFinding[];
}

/** A file to look at. */
export interface Suspect extends NamedClient {
  path: string;
}

/** The files that clients have here, each once. */
export function suspects(clients: readonly NamedClient[], place: Place): Suspect[] {
  const scopes: Scope[] = ['user', 'project'];
  const found = clients.flatMap(({ id, client }) =>
    scopes.flatMap((scope) => {
      const path = fileOf(client, scope, place);
      return path !== undefined && existsSync(path) ? [{ id, client, path }] : [];
    }),
  );
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
}

/** Looks at a file and tries every server in it. */
export async function examine(
  { id, client, path }: Suspect,
  place: Place,
  { timeoutMs }: { timeoutMs: number },
): Promise<FileFinding> {
  const about = { client: id, title: client.title, path };
  let entries: [string, unknown][];
  try {
    const { text } = readConfigFile(path);
    const settings = client.syntax.read(text);
    if (client.refusesComments && text.trim() !== '' && !isPlainJson(text)) {
      throw new Error(`it has comments or trailing commas, for which ${client.title} ignores all of it`);
    }
    const tables: Path[] = [client.table(settings), ...(client.otherTables?.(place) ?? [])];
    entries = tables.flatMap((table) => entriesAt(settings, table));
  } catch (error) {
    return { ...about, problem: error instanceof Error ? error.message : String(error), servers: [] };
  }
  const servers: ServerFinding[] = [];
  // One after the other: they would slow each other down, and how fast they are is asked.
  for (const [name, entry] of entries) servers.push({ name, ...(await examineEntry(entry, place, timeoutMs)) });
  return { ...about, servers };
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function entriesAt(settings: unknown, table: Path): [string, unknown][] {
  const servers = valueAt(settings, table);
  if (servers === undefined || servers === null) return [];
  if (!isRecord(servers)) throw new Error(`"${table.join('.')}" must hold servers by their names`);
  return Object.entries(servers);
}

async function examineEntry(entry: unknown, place: Place, timeoutMs: number): Promise<Omit<ServerFinding, 'name'>> {
  const read = readEntry(entry);
  if (isRecord(entry) && (read?.disabled ?? (entry.enabled === false || entry.disabled === true)))
    return { health: 'off' };
  if (read === undefined) {
    if (isBuiltIn(entry)) return { health: 'untried', reason: 'it is a part of its client' };
    return { health: 'failed', reason: 'the entry has neither a command nor an address' };
  }
  try {
    return { health: 'ok', answer: await probe(withVariables<ServerEntry>(read, place), place, { timeoutMs }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof LoginWanted) return { health: 'ok', reason };
    return { health: error instanceof Untriable ? 'untried' : 'failed', reason };
  }
}

/** Goose and Zed list what they bring along themselves, or have from an extension, beside the servers. */
function isBuiltIn(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return ['builtin', 'platform', 'frontend'].includes(String(entry.type)) || isRecord(entry.settings);
}
