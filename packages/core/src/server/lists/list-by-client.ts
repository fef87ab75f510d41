import type { Call } from '../call/call.ts';
import { contextOf } from '../call/operation-context.ts';
import type { LegacyForm } from '../extension.ts';
import type { GuardedEntry } from '../access.ts';
import type { Listed, ListView } from './list-view.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

/** The entries of a list that are visible to its caller. */
export function viewFor<Entry extends GuardedEntry>(
  call: Call,
  registry: { readonly list: readonly Entry[] },
): ListView<Entry> {
  const { catalog, access } = call.server;
  return catalog.isGuarded ? access.view(call, registry) : { list: registry.list, variant: '' };
}

/**
 * Filters tools that require an extension which the caller did not declare. A stateless caller declares it with each
 * request.
 */
export function withoutForeign(call: Call, view: ListView<ToolEntry>): ListView<ToolEntry> {
  const ids = extensionsIn(call.server.catalog.tools.list);
  if (ids.length === 0) return view;
  call.keepPrivate();
  const { supports } = contextOf(call);
  const unsupported = ids.filter((id) => !supports(id));
  if (unsupported.length === 0) return view;
  return {
    variant: `without ${unsupported.join(' ')} ${view.variant}`,
    get list() {
      return view.list.filter(({ listedFor }) => listedFor === undefined || !unsupported.includes(listedFor));
    },
  };
}

/** The extensions that tools require, cached by the array of entries, which is replaced on every change. */
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

/**
 * Adds the members of legacy forms to list entries of tools, for features that are built into the caller's revision.
 */
export function withLegacyForms(call: Call, view: ListView, tools: ListView<ToolEntry>): ListView {
  const forms = call.server.extensions.formsIn(call.revision);
  if (forms.length === 0) return view;
  return {
    // Pages are cached by revision, and the same for all its callers.
    variant: view.variant,
    get list() {
      const entries = tools.list;
      return view.list.map((row, index) => new ExtendedRow(row, additionsTo(entries[index] as ToolEntry, forms)));
    },
  };
}

function additionsTo({ tool }: ToolEntry, forms: readonly LegacyForm[]): object {
  return Object.assign({}, ...forms.map((form) => form.describe(tool)));
}

/** A list entry with additional members. Computed lazily: schema libraries convert slowly. */
class ExtendedRow implements Listed {
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
