import { search } from '../lists/search.ts';
import type { ComparedItem, ComparedSection } from './compare-sessions.ts';

/** A row of the comparison: a section header, an item, or a collapsed run of equal items. */
export type DifferenceRow =
  | { readonly is: 'head'; readonly key: string; readonly part: ComparedSection }
  | { readonly is: 'item'; readonly key: string; readonly item: ComparedItem }
  | { readonly is: 'same'; readonly key: string; readonly count: number; readonly first: string };

/** Filter and expansion state of a comparison. */
export interface RowOptions {
  /** Words that the names must contain. */
  readonly query: string;
  /** Whether equal items are shown too. */
  readonly isAll: boolean;
  /** Keys of the expanded runs. */
  readonly opened: ReadonlySet<string>;
}

/** Builds the rows of a comparison. */
export function buildRows(
  parts: readonly ComparedSection[],
  { query, isAll, opened }: RowOptions,
): readonly DifferenceRow[] {
  const rows: DifferenceRow[] = [];
  for (const part of parts) {
    const items = filterItems(part.items, query);
    if (items.length === 0) continue;
    rows.push({ is: 'head', key: part.id, part });
    for (let at = 0; at < items.length; ) {
      let end = at;
      while (end < items.length && isSame(items[end])) end += 1;
      const first = items[at]?.key ?? '';
      const key = `same ${first}`;
      if (end > at && !isAll && !opened.has(key)) {
        rows.push({ is: 'same', key, count: end - at, first: items[at]?.name ?? '' });
        at = end;
        continue;
      }
      end = Math.max(end, at + 1);
      for (const item of items.slice(at, end)) rows.push({ is: 'item', key: item.key, item });
      at = end;
    }
  }
  return rows;
}

function isSame(item: ComparedItem | undefined): boolean {
  return item?.verdict === 'same' && item.isMoved !== true;
}

function filterItems(items: readonly ComparedItem[], query: string): readonly ComparedItem[] {
  if (query.trim() === '') return items;
  const searched = items.map((item) => ({ item, search: `${item.name} ${item.about ?? ''}`.toLowerCase() }));
  const kept = new Set(search(searched, query).map(({ item }) => item));
  return items.filter((item) => kept.has(item));
}
