import { signal } from '@preact/signals';
import type { ListKind } from '../../shared/lists.ts';
import { keep, kept } from '../model/tab-storage.ts';

const filters = signal<Readonly<Record<string, string>>>(loadFilters());

function loadFilters(): Readonly<Record<string, string>> {
  return JSON.parse(kept('filters') ?? '{}') as Record<string, string>;
}

/** What a list is filtered by. */
export function filterOf(connection: string, kind: ListKind): string {
  return filters.value[`${connection}/${kind}`] ?? '';
}

/** Filters a list. */
export function setFilter(connection: string, kind: ListKind, query: string): void {
  filters.value = { ...filters.value, [`${connection}/${kind}`]: query };
  keep('filters', JSON.stringify(filters.value));
}
