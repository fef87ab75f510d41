import type { Call } from './call.ts';
import type { ListView } from './list-page.ts';
import type { ToolEntry } from './tools.ts';

/**
 * A list of tools without those that are for callers with an extension which this caller doesn't have. Whether they have
 * it is decided for each request: that of a stateless caller says so, and nothing is known of them otherwise.
 */
export function withoutForeign(call: Call, view: ListView<ToolEntry>): ListView<ToolEntry> {
  const ids = extensionsIn(call.server.tools.list);
  if (ids.length === 0) return view;
  call.keepPrivate();
  const { supports } = call;
  const lacking = ids.filter((id) => !supports(id));
  if (lacking.length === 0) return view;
  return {
    variant: `without ${lacking.join(' ')} ${view.variant}`,
    get list() {
      return view.list.filter(({ listedFor }) => listedFor === undefined || !lacking.includes(listedFor));
    },
  };
}

/** The extensions that tools are for, by the list: it stays as it is until the next change. */
const found = new WeakMap<readonly ToolEntry[], readonly string[]>();

function extensionsIn(list: readonly ToolEntry[]): readonly string[] {
  let ids = found.get(list);
  if (ids === undefined) {
    const all = new Set<string>();
    for (const { listedFor } of list) if (listedFor !== undefined) all.add(listedFor);
    ids = [...all];
    found.set(list, ids);
  }
  return ids;
}
