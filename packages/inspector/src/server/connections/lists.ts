import { affectedTools, clientQuirks } from '@ccmcp/core/client-quirks';
import { type Client, textTokens, toolTokens } from '@ccmcp/core/client';
import { toCallError } from '../../probe/explain-error.ts';
import type { ListChanges, ListEntries, ListKind, ListState, ToolQuirk } from '../../shared/lists.ts';
import { type EventLog, roundMs } from '../log/event-log.ts';
import { safeStringify } from '@ccmcp/core/recording';

const maxNames = 500;
/** Names come from untrusted servers, and may be long. */
const maxNamesLength = 32_768;
const maxDefinitionsLength = 1_048_576;

/** Diff of two list versions, with the definitions as JSON: a list of `ChangedDefinition`. */
interface ListDiff {
  readonly changes: ListChanges;
  /** Absent without changes. */
  readonly definitions?: string;
}

/** Diffs two list versions, given as JSON by name or URI. */
export function diffLists(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ListDiff {
  const added = limitNames([...after.keys()].filter((name) => !before.has(name)));
  const removed = limitNames([...before.keys()].filter((name) => !after.has(name)));
  const changed = limitNames(
    [...after].flatMap(([name, text]) => (before.has(name) && before.get(name) !== text ? [name] : [])),
  );
  const more = { added: added.more, removed: removed.more, changed: changed.more };
  const isMore = more.added + more.removed + more.changed > 0;
  const changes = { added: added.names, removed: removed.names, changed: changed.names, ...(isMore && { more }) };
  // Changed entries are worth the most if space runs out.
  const names = [...changes.changed, ...changes.added, ...changes.removed];
  return names.length === 0 ? { changes } : { changes, definitions: serializeDefinitions(names, before, after) };
}

function limitNames(names: readonly string[]): { names: readonly string[]; more: number } {
  let length = 0;
  const kept = names.slice(0, maxNames).filter((name) => (length += name.length) <= maxNamesLength);
  return { names: kept, more: names.length - kept.length };
}

function serializeDefinitions(
  names: readonly string[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  let length = 0;
  const written = names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    const parts = [
      `"name":${JSON.stringify(name)}`,
      ...(old === undefined ? [] : [`"before":${old}`]),
      ...(now === undefined ? [] : [`"after":${now}`]),
    ];
    const text = `{${parts.join(',')}}`;
    length += text.length;
    return length <= maxDefinitionsLength ? [text] : [];
  });
  return `[${written.join(',')}]`;
}

type Entry = Readonly<Record<string, unknown>>;

/** One version of a list. */
interface Version {
  readonly version: number;
  readonly entries: readonly Entry[];
  readonly tokens: readonly number[];
  /** JSON of each entry, by name or URI. */
  readonly texts: ReadonlyMap<string, string>;
  readonly bytes: number;
  readonly quirks: ListEntries['quirks'];
}

/** A loaded list. */
interface Loaded extends Pick<Version, 'entries' | 'tokens' | 'bytes' | 'quirks'> {
  /** JSON of each entry. */
  readonly texts: readonly string[];
}

/** Summary of a loaded list, as the result of its call; the entries are stored separately. */
export class ListSummary {
  constructor(
    readonly count: number,
    readonly bytes: number,
    readonly tokens: number,
  ) {}
}

/** In longer lists, tools are not checked for quirks of clients: it would take a second. */
const maxCheckedTools = 2000;
const maxVersions = 3;
/** Smaller first lists are sent with their event, so that the page needs no extra request. */
const maxInlineBytes = 16_384;

/** The lists of one server, with previous versions. */
export class Lists {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #versions = new Map<ListKind, readonly Version[]>();
  /** Request counter per list: of overlapping responses, the latest request wins. */
  readonly #requests = new Map<ListKind, number>();

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
  }

  /** Logs that a server does not declare a list, if that is so. */
  isAbsent({ capabilities }: Client, kind: ListKind): boolean {
    if (capabilities[kind === 'templates' ? 'resources' : kind] !== undefined) return false;
    this.#logState(kind, 'absent');
    return true;
  }

  /** Loads a list, and logs its state. */
  async load(client: Client, kind: ListKind, { isStale = false } = {}): Promise<ListSummary> {
    const turn = (this.#requests.get(kind) ?? 0) + 1;
    this.#requests.set(kind, turn);
    this.#logState(kind, isStale ? 'stale' : 'loading');
    const since = performance.now();
    try {
      const entries = (await fetchers[kind](client)) as unknown as readonly Entry[];
      const ms = roundMs(performance.now() - since);
      const texts = entries.map((entry) => safeStringify(entry));
      const tokens = entries.map((entry, at) =>
        kind === 'tools' ? toolTokens(toTool(entry)) : textTokens(texts[at] ?? ''),
      );
      const summary = new ListSummary(entries.length, sum(texts.map((text) => Buffer.byteLength(text))), sum(tokens));
      if (this.#requests.get(kind) === turn)
        this.#addVersion(kind, { entries, texts, tokens, bytes: summary.bytes, quirks: quirksIn(kind, entries) }, ms);
      return summary;
    } catch (error) {
      const ms = roundMs(performance.now() - since);
      if (this.#requests.get(kind) === turn)
        this.#logState(kind, 'refused', { error: toCallError(error, false).error, ms });
      throw error;
    }
  }

  /** Entries of a version, or of the latest; undefined if not stored. */
  entries(kind: ListKind, version?: number): ListEntries | undefined {
    const found = this.#versions.get(kind)?.find((each) => version === undefined || each.version === version);
    if (found === undefined) return undefined;
    const { entries, tokens, quirks } = found;
    return { version: found.version, entries, tokens, ...(quirks && { quirks }) };
  }

  /** Latest entry by name or URI. */
  entry(kind: ListKind, name: string): Entry | undefined {
    const text = this.#versions.get(kind)?.[0]?.texts.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as Entry);
  }

  #addVersion(kind: ListKind, { entries, texts, tokens, bytes, quirks }: Loaded, ms: number): void {
    const [before, ...earlier] = this.#versions.get(kind) ?? [];
    const latest: Version = {
      version: (before?.version ?? 0) + 1,
      entries,
      tokens,
      texts: new Map(entries.map((entry, at) => [entryName(entry), texts[at] ?? ''])),
      bytes,
      quirks,
    };
    const versions = before === undefined ? [latest] : [latest, before, ...earlier].slice(0, maxVersions);
    this.#versions.set(kind, versions);
    if (before === undefined) {
      const listed =
        bytes <= maxInlineBytes
          ? { listed: { version: latest.version, entries, tokens, ...(quirks && { quirks }) } }
          : {};
      return this.#logState(kind, 'loaded', { ms, ...listed });
    }
    const { changes, definitions } = diffLists(before.texts, latest.texts);
    this.#logState(kind, 'loaded', { ms, changes }, definitions);
  }

  #logState(kind: ListKind, state: ListState['state'], more: Partial<ListState> = {}, definitions?: string): void {
    const latest = this.#versions.get(kind)?.[0];
    this.#log.add(
      'list',
      {
        connection: this.#connection,
        kind,
        state,
        version: latest?.version ?? 0,
        count: latest?.entries.length ?? 0,
        bytes: latest?.bytes ?? 0,
        tokens: sum(latest?.tokens ?? []),
        ...more,
      },
      definitions,
    );
  }
}

const fetchers: Readonly<Record<ListKind, (client: Client) => Promise<readonly object[]>>> = {
  tools: (client) => client.listTools().all(),
  resources: (client) => client.listResources().all(),
  templates: (client) => client.listResourceTemplates().all(),
  prompts: (client) => client.listPrompts().all(),
};

/** The trouble that clients have with tools; undefined if none, or if there are too many tools to look at each. */
function quirksIn(kind: ListKind, entries: readonly Entry[]): ListEntries['quirks'] {
  if (kind !== 'tools' || entries.length > maxCheckedTools) return undefined;
  const tools = entries as unknown as Parameters<typeof affectedTools>[1];
  const found = new Map<string, ToolQuirk[]>();
  for (const quirk of clientQuirks) {
    const { client, summary, source } = quirk;
    for (const name of affectedTools(quirk, tools))
      found.set(name, [...(found.get(name) ?? []), { client: client.name, summary, source }]);
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function entryName(entry: Entry | null): string {
  const { name, uri, uriTemplate } = entry ?? {};
  return String(uri ?? uriTemplate ?? name);
}

function toTool({ name, description, inputSchema }: Entry): Parameters<typeof toolTokens>[0] {
  return { name: String(name), description: description as string | undefined, inputSchema };
}
