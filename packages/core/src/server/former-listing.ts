import type { Call } from './call.ts';
import type { FormerForm } from './extension.ts';
import type { Listed, ListView } from './list-page.ts';
import type { ToolEntry } from './tools.ts';

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
