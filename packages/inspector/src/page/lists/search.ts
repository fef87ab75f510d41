// Separates name and description: no search word contains it.
const separator = '\n';

/** Text by which an entry is searched. */
export function toSearchText(name: string, title: string, description: string): string {
  return `${name}${separator}${title}${separator}${description}`.toLowerCase();
}

/** Entries that contain every word of a query; matches in the name come first. */
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
    else if (at < search.indexOf(separator)) named.push(entry);
    else described.push(entry);
  }
  return [...beginning, ...named, ...described];
}
