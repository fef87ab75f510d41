import { PreparedResult } from '../../jsonrpc/message.ts';
import type { Meta } from '../../protocol/meta.ts';
import type { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';
import { contextOf } from '../call/operation-context.ts';
import { fillAll, type ListSource } from '../lists/list-source.ts';
import { appendCallerLists, type CallerServers, joinMeta } from './caller-servers.ts';
import type { Step } from './step.ts';

const listMethods = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);

/**
 * Fills the lists of a server from its sources before they are served, and adds the entries that only the caller gets.
 * A subscription to resources fills them, too: a source notifies only of what it has listed.
 */
export function fillLists(sources: readonly ListSource[], serversFor: CallerServers): Step | undefined {
  if (sources.length === 0) return undefined;
  const fillInBackground = (call: Call): void => {
    const operation = contextOf(call);
    const own = serversFor(operation).flatMap(({ server }) => server.listSources);
    for (const filling of fillAll([...sources, ...own], operation)) filling.catch(() => {});
  };
  return (next) => (call) => {
    if (!listMethods.has(call.method)) {
      if (subscribesToResources(call)) fillInBackground(call);
      return next(call);
    }
    const operation = contextOf(call);
    const serve = (): Outcome | Promise<Outcome> => {
      const metas = sources.map((source) => source.meta?.(operation)).filter((meta) => meta !== undefined);
      const servers = serversFor(operation);
      const listed = next(call);
      const outcome =
        servers.length === 0 ? listed : Promise.resolve(listed).then((list) => appendCallerLists(list, call, servers));
      if (metas.length === 0) return outcome;
      return outcome instanceof Promise ? outcome.then((list) => withMeta(list, metas)) : withMeta(outcome, metas);
    };
    const filling = fillAll(sources, operation);
    return filling.length === 0 ? serve() : Promise.allSettled(filling).then(() => (call.isOver ? {} : serve()));
  };
}

/** True for a long-lived subscription. `resources/subscribe` is served by the part that has the resource. */
function subscribesToResources({ method, params }: Call): boolean {
  if (method !== 'subscriptions/listen') return false;
  const wish = params.notifications as { resourceSubscriptions?: { length?: unknown } | null } | null | undefined;
  return Boolean(wish?.resourceSubscriptions?.length);
}

function withMeta(outcome: Outcome, metas: readonly Meta[]): Outcome {
  const isText = outcome instanceof PreparedResult;
  const list = (isText ? outcome.toJSON() : outcome) as { _meta?: Meta };
  const marked = { ...list, _meta: metas.reduce(joinMeta, { ...list._meta }) };
  return isText ? new PreparedResult(JSON.stringify(marked)) : marked;
}
