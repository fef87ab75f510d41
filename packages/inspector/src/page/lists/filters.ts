import { signal } from '@preact/signals';
import type { ListKind } from '../../shared/lists.ts';
import { saveToTab, loadFromTab } from '../model/tab-storage.ts';

const filters = signal<Readonly<Record<string, string>>>(loadFilters());

function loadFilters(): Readonly<Record<string, string>> {
  return JSON.parse(loadFromTab('filters') ?? '{}') as Record<string, string>;
}

/** Filter text of a list. */
export function getFilter(connection: string, kind: ListKind): string {
  return filters.value[`${connection}/${kind}`] ?? '';
}

/** Sets the filter text of a list. */
export function setFilter(connection: string, kind: ListKind, query: string): void {
  filters.value = { ...filters.value, [`${connection}/${kind}`]: query };
  saveToTab('filters', JSON.stringify(filters.value));
}
