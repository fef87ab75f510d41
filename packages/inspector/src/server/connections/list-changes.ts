import type { ListChanges } from '../../shared/lists.ts';

const mostNames = 500;
/** Names and addresses come from strangers, and may be long. */
const mostNamesLength = 32_768;
const mostDefinitionsLength = 1_048_576;

/** How two versions of a list differ, and as JSON how the entries were and are: a list of `ChangedDefinition`. */
export interface FoundChanges {
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
