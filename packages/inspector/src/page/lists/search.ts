// Between name and description: no word that is searched for has it.
const border = '\n';

/** What an entry is searched by. */
export function searchable(name: string, title: string, description: string): string {
  return `${name}${border}${title}${border}${description}`.toLowerCase();
}

/** The entries that have every word of a query; those that have it in their name come first, the others keep their order. */
export function search<Entry extends { readonly search: string }>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return entries;
  const beginning: Entry[] = [];
  const named: Entry[] = [];
  const described: Entry[] = [];
  for (const entry of entries) {
    const { search } = entry;
    if (!words.every((word) => search.includes(word))) continue;
    const at = search.indexOf(first);
    if (at === 0) beginning.push(entry);
    else if (at < search.indexOf(border)) named.push(entry);
    else described.push(entry);
  }
  return [...beginning, ...named, ...described];
}
