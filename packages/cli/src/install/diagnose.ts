import { existsSync } from 'node:fs';
import { affectedTools, quirksOf } from '@ccmcp/core/client-quirks';
import { isJson } from '../terminal/pretty-json.ts';
import { toOneLine } from '../terminal/print.ts';
import { type NamedClient, type Client, fileOf, type Scope } from '../config/clients.ts';
import { readConfigFile } from '../config/file/config-file.ts';
import { valueAt } from '../config/file/edit.ts';
import { isRecord } from '../system/record.ts';
import { type Answer, type FullAnswer, LoginRequiredError, type ProbeTimeouts, probeEntry } from './probe-entry.ts';
import { readEntry, type ServerEntry } from '../config/server-entry.ts';
import type { Path } from '../config/file/syntax.ts';
import { NotTestableError, substituteVariables } from '../config/variables.ts';
import type { Location } from '../system/environment.ts';

/** The health of a server: it works, fails, is disabled, or can't be tested from here. */
export type Health = 'ok' | 'failed' | 'off' | 'untried';

/** The result for one server. */
export interface ServerFinding {
  name: string;
  health: Health;
  /** The reason, unless it works. */
  reason?: string;
  answer?: Answer;
  /** Quirks of the client that matter for this server. */
  quirks?: QuirkFinding[];
}

/** A quirk of a client, and what of a server it affects. */
export interface QuirkFinding {
  id: string;
  summary: string;
  source: string;
  /** The names of the tools that it affects. */
  tools?: string[];
  /** What the client does not read, although the server has some. */
  missing?: ('resources' | 'prompts')[];
}

/** The result for one file. */
export interface FileFinding {
  client: string;
  title: string;
  path: string;
  /** The number of servers not tested, because the file belongs to the folder. */
  leftAlone: number;
  /** Why it can't be read. */
  problem?: string;
  servers: ServerFinding[];
}

/** The author of a file: the user, the user by naming it, or the author of the folder. */
export type Author = 'user' | 'named' | 'folder';

/** A file to check. */
export interface ConfigFileToCheck extends NamedClient {
  path: string;
  author: Author;
}

/** How a file is checked. */
export interface DiagnoseOptions extends ProbeTimeouts {
  /** Limits how many servers run at once: they would slow each other down. */
  limit: ConcurrencyLimit;
  /** Also starts and calls the servers in the files of the folder. */
  project: boolean;
}

/** The configuration files of clients here, each once. */
export function configFiles(clients: readonly NamedClient[], location: Location): ConfigFileToCheck[] {
  const scopes: [Scope, Author][] = [
    ['user', 'user'],
    ['project', 'folder'],
  ];
  const found = clients.flatMap(({ id, client }) =>
    scopes.flatMap(([scope, author]) => {
      const path = fileOf(client, scope, location);
      return path !== undefined && existsSync(path) ? [{ id, client, path, author }] : [];
    }),
  );
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
}

/** Reads a file and tests every server in it that may be tested. */
export async function diagnoseFile(
  file: ConfigFileToCheck,
  location: Location,
  options: DiagnoseOptions,
): Promise<FileFinding> {
  const { id, client, path, author } = file;
  const about = { client: id, title: client.title, path, leftAlone: 0 };
  let tables: [string, unknown][][];
  try {
    const { text } = readConfigFile(path);
    const settings = client.syntax.read(text);
    if (client.rejectsComments && text.trim() !== '' && !isJson(text)) {
      throw new Error(`it has comments or trailing commas, for which ${client.title} ignores all of it`);
    }
    tables = [client.table(settings), ...(client.otherTables?.(location) ?? [])].map((table) =>
      entriesAt(settings, table),
    );
  } catch (error) {
    return { ...about, problem: error instanceof Error ? error.message : String(error), servers: [] };
  }
  const [common = [], ...ofFolder] = tables;
  const mayUseFolder = author === 'named' || options.project;
  const probing = author === 'folder' && !options.project ? undefined : { ...options, location, client };
  const entries = [
    ...common.map(([name, entry]) => ({ name, entry, mayUseFolder })),
    ...ofFolder.flat().map(([name, entry]) => ({ name, entry, mayUseFolder: true })),
  ];
  const servers = await Promise.all(
    entries.map(async ({ name, entry, ...more }) => ({
      name,
      ...(await diagnoseEntry(name, entry, probing && { ...probing, ...more })),
    })),
  );
  const leftAlone = probing === undefined ? servers.filter(({ health }) => health === 'untried').length : 0;
  return { ...about, leftAlone, servers };
}

function entriesAt(settings: unknown, table: Path): [string, unknown][] {
  const servers = valueAt(settings, table);
  if (servers === undefined || servers === null) return [];
  if (!isRecord(servers)) throw new Error(`"${table.join('.')}" must hold servers by their names`);
  return Object.entries(servers);
}

/** The context of a probe. */
interface ProbeContext extends ProbeTimeouts {
  location: Location;
  client: Client;
  limit: ConcurrencyLimit;
  /** False: it starts outside the working directory, whose files could replace its own. */
  mayUseFolder: boolean;
}

/** Without a probe an entry is only parsed. */
async function diagnoseEntry(
  name: string,
  entry: unknown,
  probing: ProbeContext | undefined,
): Promise<Omit<ServerFinding, 'name'>> {
  const read = readEntry(entry);
  if (isRecord(entry) && (read?.disabled ?? (entry.enabled === false || entry.disabled === true)))
    return { health: 'off' };
  if (read === undefined) {
    if (isBuiltIn(entry)) return { health: 'untried', reason: 'it is a part of its client' };
    return { health: 'failed', reason: 'the entry has neither a command nor an address' };
  }
  if (probing === undefined) {
    const what = read.kind === 'http' ? 'called' : 'started';
    return { health: 'untried', reason: `not ${what}: a file of this folder names it` };
  }
  const { location, client, mayUseFolder, limit } = probing;
  try {
    const folder = mayUseFolder ? location.cwd : undefined;
    const filled = substituteVariables<ServerEntry>(read, { ...location, folder, marks: client.marks });
    const { timeoutMs, downloadMs } = probing;
    const probed = { name, entry: filled, timeoutMs, downloadMs };
    const full = await limit(() => probeEntry(probed, { ...location, cwd: folder ?? location.home }));
    const names = full.tools.map((tool) => tool.name);
    const reason = droppedTools(names, name, client);
    const quirks = findQuirks(full, client);
    const problems = { ...(reason !== undefined && { reason }), ...(quirks.length > 0 && { quirks }) };
    return { health: 'ok', ...problems, answer: full.answer };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof LoginRequiredError) return { health: 'ok', reason };
    return { health: error instanceof NotTestableError ? 'untried' : 'failed', reason };
  }
}

/** The tools that a client drops, and the reason. */
function droppedTools(
  toolNames: readonly string[],
  server: string,
  { title, maxToolName }: Client,
): string | undefined {
  const tooLong = toolNames.filter((tool) => server.length + tool.length > (maxToolName ?? Number.POSITIVE_INFINITY));
  if (tooLong.length === 0) return undefined;
  const names = tooLong.slice(0, 5).map(toOneLine).join(', ');
  const more = tooLong.length > 5 ? ` and ${tooLong.length - 5} more` : '';
  return `${title} drops tools of more than ${maxToolName} characters together with the server's name: ${names}${more}`;
}

/** The quirks of a client that its lists show to matter for a server. */
function findQuirks({ tools, answer }: FullAnswer, { clientInfoName, maxToolName }: Client): QuirkFinding[] {
  if (clientInfoName === undefined) return [];
  return quirksOf({ name: clientInfoName }).flatMap((quirk): QuirkFinding[] => {
    // Its names were checked together with that of the server.
    if (quirk.nameLength !== undefined && maxToolName !== undefined) return [];
    const { id, summary, source } = quirk;
    const affected = affectedTools(quirk, tools);
    const missing = (quirk.missing ?? []).filter((kind) => answer[kind] > 0);
    if (affected.length === 0 && missing.length === 0) return [];
    return [
      { id, summary, source, ...(affected.length > 0 && { tools: affected }), ...(missing.length > 0 && { missing }) },
    ];
  });
}

/** Goose and Zed list their built-in and extension servers among the others. */
function isBuiltIn(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return ['builtin', 'platform', 'frontend'].includes(String(entry.type)) || isRecord(entry.settings);
}

/** Runs a task when a slot is free. */
export type ConcurrencyLimit = <T>(act: () => Promise<T>) => Promise<T>;

/** Runs at most `maxRunning` tasks at a time; the others wait in order. */
export function limitConcurrency(maxRunning: number): ConcurrencyLimit {
  let free = maxRunning;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
