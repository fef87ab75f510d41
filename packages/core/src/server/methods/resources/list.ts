import { invalidParams } from '../../../jsonrpc/errors.ts';
import type { ResourceListing } from '../../../protocol/listing.ts';
import type { Call } from '../../call/call.ts';
import { fromCursor, toCursor } from '../../lists/pagination.ts';
import { listedOf, type TemplateEntry } from '../../define/resource-entry.ts';
import { listFrom, type ListView, page } from '../../lists/pagination.ts';
import { assertFits } from '../../call/result-size.ts';
import { hasScopes, hasScopesAt } from '../../scopes/check-scopes.ts';
import { shownTo } from '../../scopes/list-by-scope.ts';
import type { Outcome } from '../../call/operation.ts';
import { whenThere } from '../../../jsonrpc/awaitable.ts';
import type { Method } from '../method.ts';

/** Serves `resources/list`: registered resources first, then those that templates list, template by template. */
export const listResources: Method = {
  run(call) {
    const { resources, templates } = call.server;
    const listed = [...templates.entries()].filter(({ template }) => template.list !== undefined);
    const shown = shownTo(call, listedOf(resources));
    if (listed.length === 0) return listFrom(call, 'resources', shown);
    // What stands behind a template is no offer but its contents: as secret as what can be read there.
    if (listed.some(({ scopes }) => scopes !== undefined)) call.keepPrivate();
    return listAll(
      call,
      shown,
      listed.filter(({ scopes }) => hasScopes(call.exchange, scopes?.fixed)),
    );
  },
};

function listAll(call: Call, shown: ListView, listed: TemplateEntry[]): Outcome | Promise<Outcome> {
  const { server, method, params } = call;
  const [kind, place] = params.cursor === undefined ? ['own', 0] : fromCursor(params.cursor, method);
  if (kind === 'own') {
    const { listings, last, more } = page(shown, { after: Number(place), server });
    if (more) return { resources: listings, nextCursor: toCursor([method, 'own', last]) };
    return withTemplate(call, listed, listings, { template: listed[0], from: undefined });
  }
  const template = listed.find(({ position }) => position === Number(kind));
  if (template === undefined)
    throw invalidParams('Invalid cursor: what it points into is gone; start with the first page');
  return withTemplate(call, listed, [], { template, from: place === '' ? undefined : String(place) });
}

/** Adds one page of one template; its end is where the next template begins. */
function withTemplate(
  call: Call,
  listed: TemplateEntry[],
  resources: object[],
  { template, from }: { template: TemplateEntry | undefined; from: string | undefined },
): Outcome | Promise<Outcome> {
  if (template?.template.list === undefined) return { resources };
  return whenThere(template.template.list(from, call), (found): Outcome => {
    const following = listed[listed.indexOf(template) + 1];
    const rows = readable(call, template, found.resources);
    assertFits(rows, `the list of template "${template.key}"`, call.server.maxResult);
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
  { pattern, scopes }: TemplateEntry,
  rows: readonly ResourceListing[],
): readonly ResourceListing[] {
  if (scopes === undefined || scopes.fixed !== undefined) return rows;
  return rows.filter(({ uri }) => {
    const variables = pattern.match(uri);
    return variables === undefined || hasScopesAt(call.exchange, () => scopes.of(variables, uri));
  });
}
