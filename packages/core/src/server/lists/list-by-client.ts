import type { Call } from '../call/call.ts';
import type { FormerForm } from '../extension.ts';
import type { Listed, ListView } from './pagination.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

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

/** Adds to the rows of tools what a part of the caller's revision says of each, where an extension is that part there. */
export function withFormerForms(call: Call, view: ListView, tools: ListView<ToolEntry>): ListView {
  const forms = call.server.extensions.formsIn(call.revision);
  if (forms.length === 0) return view;
  return {
    // Pages are kept by revision, and all callers of one are shown the same.
    variant: view.variant,
    get list() {
      const entries = tools.list;
      return view.list.map((row, index) => new FormerRow(row, additionsTo(entries[index] as ToolEntry, forms)));
    },
  };
}

function additionsTo({ tool }: ToolEntry, forms: readonly FormerForm[]): object {
  return Object.assign({}, ...forms.map((form) => form.describe(tool)));
}

/** A row with more in it, made when it is read: that may take a schema library a while. */
class FormerRow implements Listed {
  constructor(
    readonly row: Listed,
    readonly additions: object,
  ) {}

  get key(): string {
    return this.row.key;
  }

  get position(): number {
    return this.row.position;
  }

  get listing(): object {
    return { ...this.row.listing, ...this.additions };
  }
}
