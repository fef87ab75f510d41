import { invalidParams } from '../../../jsonrpc/errors.ts';
import { matchTemplate } from '../../../protocol/uri-template.ts';
import type { ResourceListing } from '../../../protocol/listing.ts';
import type { Call, Method } from '../../call/call.ts';
import { contextOf } from '../../call/operation-context.ts';
import { fromCursor, toCursor, listFrom, page } from '../../lists/pagination.ts';
import { listedOf, type TemplateEntry } from '../../define/resource-entry.ts';
import { viewFor } from '../../lists/list-by-client.ts';
import type { ListView } from '../../lists/list-view.ts';
import { assertFits } from '../../call/result-size.ts';
import type { Outcome } from '../../call/operation.ts';
import { mapAwaitable } from '../../../jsonrpc/awaitable.ts';

/** Serves `resources/list`: registered resources first, then those that templates list, template by template. */
export const listResources: Method = {
  run(call) {
    const { catalog, access: control } = call.server;
    const { resources, templates } = catalog;
    const listed = [...templates.entries.values()].filter(({ template }) => template.list !== undefined);
    const shown = viewFor(call, listedOf(resources));
    if (listed.length === 0) return listFrom(call, 'resources', shown);
    // The resources of a template are as secret as their contents.
    if (listed.some(({ access }) => access !== undefined)) call.keepPrivate();
    return listAll(
      call,
      shown,
      listed.filter(({ access }) => control.allows(call.peer, access?.fixed)),
    );
  },
};

function listAll(call: Call, shown: ListView, listed: TemplateEntry[]): Outcome | Promise<Outcome> {
  const { server, method, params } = call;
  const [kind, place] = params.cursor === undefined ? ['own', 0] : fromCursor(params.cursor, method);
  if (kind === 'own') {
    const { listings, last, more } = page(shown, { after: Number(place), settings: server.settings });
    if (more) return { resources: listings, nextCursor: toCursor([method, 'own', last]) };
    return withTemplate(call, listed, listings, { template: listed[0], from: undefined });
  }
  const template = listed.find(({ position }) => position === Number(kind));
  if (template === undefined) throw invalidParams('Invalid cursor: its list has changed; start with the first page');
  return withTemplate(call, listed, [], { template, from: place === '' ? undefined : String(place) });
}

/** Adds one page of one template; after its last page, the next template begins. */
function withTemplate(
  call: Call,
  listed: TemplateEntry[],
  resources: object[],
  { template, from }: { template: TemplateEntry | undefined; from: string | undefined },
): Outcome | Promise<Outcome> {
  if (template?.template.list === undefined) return { resources };
  return mapAwaitable(template.template.list(from, contextOf(call)), (found): Outcome => {
    const following = listed[listed.indexOf(template) + 1];
    const rows = readable(call, template, found.resources);
    assertFits(rows, `the list of template "${template.key}"`, call.server.settings.maxResult);
    const all = [...resources, ...rows];
    if (found.next !== undefined)
      return { resources: all, nextCursor: toCursor([call.method, template.position, found.next]) };
    if (following !== undefined) return { resources: all, nextCursor: toCursor([call.method, following.position, '']) };
    return { resources: all };
  });
}

/** The rows that the caller may read, where that depends on their addresses. */
function readable(
  call: Call,
  { pattern, access }: TemplateEntry,
  rows: readonly ResourceListing[],
): readonly ResourceListing[] {
  if (access === undefined || access.fixed !== undefined) return rows;
  const { server, peer } = call;
  return rows.filter(({ uri }) => {
    const variables = matchTemplate(pattern, uri);
    return variables === undefined || server.access.allowsAt(peer, () => access.of(variables, uri));
  });
}
