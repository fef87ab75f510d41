import { invalidParams } from '../../../jsonrpc/errors.ts';
import type { Call } from '../../call.ts';
import { fromCursor, toCursor } from '../../cursor.ts';
import type { TemplateEntry } from '../../resources.ts';
import { listFrom, page } from '../../list-page.ts';
import { assertFits } from '../../result-size.ts';
import type { Outcome } from '../../operation.ts';
import { whenThere } from '../../../jsonrpc/awaitable.ts';
import type { Method } from '../method.ts';

/** Serves `resources/list`: registered resources first, then those that templates list, template by template. */
export const listResources: Method = {
  run(call) {
    const listed = [...call.server.templates.entries()].filter(({ template }) => template.list !== undefined);
    if (listed.length === 0) return listFrom(call, 'resources', call.server.resources);
    return listAll(call, listed);
  },
};

function listAll(call: Call, listed: TemplateEntry[]): Outcome | Promise<Outcome> {
  const { server, method, params } = call;
  const [kind, place] = params.cursor === undefined ? ['own', 0] : fromCursor(params.cursor, method);
  if (kind === 'own') {
    const { listings, last, more } = page(server.resources, { after: Number(place), server });
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
    assertFits(found.resources, `the list of template "${template.key}"`, call.server.maxResult);
    const all = [...resources, ...found.resources];
    if (found.next !== undefined)
      return { resources: all, nextCursor: toCursor([call.method, template.position, found.next]) };
    if (following !== undefined) return { resources: all, nextCursor: toCursor([call.method, following.position, '']) };
    return { resources: all };
  });
}
