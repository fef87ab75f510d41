import { type Client, textTokens, toolTokens } from '@ccmcp/core/client';
import type { ListEntries, ListKind, ListState, ListChanges } from '../../shared/lists.ts';
import type { EventLog } from '../log/event-log.ts';
import { written } from '../log/safe-stringify.ts';
import { failureOf } from './explain-error.ts';
import { round } from './message-tracker.ts';

const mostNames = 500;
/** Names and addresses come from strangers, and may be long. */
const mostNamesLength = 32_768;
const mostDefinitionsLength = 1_048_576;

/** How two versions of a list differ, and as JSON how the entries were and are: a list of `ChangedDefinition`. */
interface FoundChanges {
  readonly changes: ListChanges;
  /** Absent where nothing differs. */
  readonly definitions?: string;
}

/** How two versions of a list differ; each has its entries as JSON, by name or address. */
export function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FoundChanges {
  const added = few([...after.keys()].filter((name) => !before.has(name)));
  const removed = few([...before.keys()].filter((name) => !after.has(name)));
  const changed = few(
    [...after].flatMap(([name, text]) => (before.has(name) && before.get(name) !== text ? [name] : [])),
  );
  const more = { added: added.more, removed: removed.more, changed: changed.more };
  const isMore = more.added + more.removed + more.changed > 0;
  const changes = { added: added.names, removed: removed.names, changed: changed.names, ...(isMore && { more }) };
  // Of what there is too much of, that which changed is worth the most.
  const names = [...changes.changed, ...changes.added, ...changes.removed];
  return names.length === 0 ? { changes } : { changes, definitions: definitionsOf(names, before, after) };
}

function few(names: readonly string[]): { names: readonly string[]; more: number } {
  let length = 0;
  const kept = names.slice(0, mostNames).filter((name) => (length += name.length) <= mostNamesLength);
  return { names: kept, more: names.length - kept.length };
}

function definitionsOf(
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
    return length <= mostDefinitionsLength ? [text] : [];
  });
  return `[${written.join(',')}]`;
}

type Entry = Readonly<Record<string, unknown>>;

/** One version of a list. */
interface Version {
  readonly version: number;
  readonly entries: readonly Entry[];
  readonly tokens: readonly number[];
  /** Each entry as JSON, by its name or address. */
  readonly texts: ReadonlyMap<string, string>;
  readonly bytes: number;
}

/** A list as it came. */
interface Loaded extends Pick<Version, 'entries' | 'tokens' | 'bytes'> {
  /** Each entry as JSON. */
  readonly texts: readonly string[];
}

/** What a list came to, as the result of asking for it: the entries themselves are kept as a list. */
export class ListSummary {
  constructor(
    readonly count: number,
    readonly bytes: number,
    readonly tokens: number,
  ) {}
}

/** Every list that there may be. */
export const listKinds: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];

const mostVersions = 3;
/** A first list that is no longer is told with its event: the page need not ask for it before it shows anything. */
const mostToldBytes = 16_384;

/** The lists of one server, with the versions before. */
export class Lists {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #versions = new Map<ListKind, readonly Version[]>();
  /** Counts how often each was asked for: of two answers that cross, the later counts. */
  readonly #asked = new Map<ListKind, number>();

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
  }

  /** Says that a server has no such list, where that is so. */
  isAbsent({ capabilities }: Client, kind: ListKind): boolean {
    if (capabilities[kind === 'templates' ? 'resources' : kind] !== undefined) return false;
    this.#tell(kind, 'absent');
    return true;
  }

  /** Asks for a list, and tells what came of it. */
  async load(client: Client, kind: ListKind, { isStale = false } = {}): Promise<ListSummary> {
    const turn = (this.#asked.get(kind) ?? 0) + 1;
    this.#asked.set(kind, turn);
    this.#tell(kind, isStale ? 'stale' : 'loading');
    const since = performance.now();
    try {
      const entries = (await fetchers[kind](client)) as unknown as readonly Entry[];
      const ms = round(performance.now() - since);
      const texts = entries.map((entry) => written(entry));
      const tokens = entries.map((entry, at) =>
        kind === 'tools' ? toolTokens(asTool(entry)) : textTokens(texts[at] ?? ''),
      );
      const summary = new ListSummary(
        entries.length,
        sumOf(texts.map((text) => Buffer.byteLength(text))),
        sumOf(tokens),
      );
      if (this.#asked.get(kind) === turn) this.#loaded(kind, { entries, texts, tokens, bytes: summary.bytes }, ms);
      return summary;
    } catch (error) {
      const ms = round(performance.now() - since);
      if (this.#asked.get(kind) === turn) this.#tell(kind, 'refused', { error: failureOf(error, false).error, ms });
      throw error;
    }
  }

  /** The entries of a version, or of the latest; undefined where it is not known. */
  entries(kind: ListKind, version?: number): ListEntries | undefined {
    const found = this.#versions.get(kind)?.find((each) => version === undefined || each.version === version);
    return found && { version: found.version, entries: found.entries, tokens: found.tokens };
  }

  /** An entry by its name or address, as it was last listed. */
  entry(kind: ListKind, name: string): Entry | undefined {
    const text = this.#versions.get(kind)?.[0]?.texts.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as Entry);
  }

  #loaded(kind: ListKind, { entries, texts, tokens, bytes }: Loaded, ms: number): void {
    const [before, ...earlier] = this.#versions.get(kind) ?? [];
    const latest: Version = {
      version: (before?.version ?? 0) + 1,
      entries,
      tokens,
      texts: new Map(entries.map((entry, at) => [nameOf(entry), texts[at] ?? ''])),
      bytes,
    };
    const versions = before === undefined ? [latest] : [latest, before, ...earlier].slice(0, mostVersions);
    this.#versions.set(kind, versions);
    if (before === undefined) {
      const listed = bytes <= mostToldBytes ? { listed: { version: latest.version, entries, tokens } } : {};
      return this.#tell(kind, 'loaded', { ms, ...listed });
    }
    const { changes, definitions } = changesOf(before.texts, latest.texts);
    this.#tell(kind, 'loaded', { ms, changes }, definitions);
  }

  #tell(kind: ListKind, state: ListState['state'], more: Partial<ListState> = {}, definitions?: string): void {
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
        tokens: sumOf(latest?.tokens ?? []),
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function nameOf(entry: Entry | null): string {
  const { name, uri, uriTemplate } = entry ?? {};
  return String(uri ?? uriTemplate ?? name);
}

function asTool({ name, description, inputSchema }: Entry): Parameters<typeof toolTokens>[0] {
  return { name: String(name), description: description as string | undefined, inputSchema };
}
