import { PreparedResult } from '../../jsonrpc/message.ts';
import type { Meta } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import type { Call } from '../call/call.ts';
import type { Operation, Outcome } from '../call/operation.ts';
import { contextOf } from '../call/operation-context.ts';
import type { EngineState } from '../engine-state.ts';
import { fillAll, type ListSource } from '../lists/list-source.ts';
import { offers, type PrefixedServer } from '../lists/offers.ts';
import type { Run, Step } from './step.ts';

/** A server with the entries that only one caller gets. */
export interface CallerServer extends PrefixedServer {
  readonly server: EngineState & { readonly listSources: readonly ListSource[]; run: Run; runPassed: Run };
}

/** Returns the servers with the entries that only the caller of a request gets. */
export type CallerServers = (operation: Operation) => readonly CallerServer[];

/** Forwards a call to the server of its caller that offers the name, unless this server offers it to all callers. */
export function passToCallerServer(serversFor: CallerServers): Step {
  return (next) => (call) => {
    const { host, method } = call;
    if (host.methods.of(method).belongsTo === undefined || offers({ server: call.server, prefix: '' }, call))
      return next(call);
    const servers = serversFor(contextOf(call));
    const serve = (): Outcome | Promise<Outcome> => {
      const found = servers.find((each) => offers(each, call));
      if (found === undefined) return next(call);
      call.server = found.server;
      return found.server.runPassed(call);
    };
    const sources = servers.flatMap(({ server: { listSources } }) => listSources);
    const filling = fillAll(sources, contextOf(call));
    return filling.length === 0 ? serve() : Promise.allSettled(filling).then(() => (call.isOver ? {} : serve()));
  };
}

const lists = {
  'tools/list': { member: 'tools', key: 'name' },
  'prompts/list': { member: 'prompts', key: 'name' },
  'resources/list': { member: 'resources', key: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', key: 'uriTemplate' },
} as const;

/** The registry of each list. */
const registryOf = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'templates',
} as const;

type Page = Result & { nextCursor?: unknown; _meta?: Meta };

/** Appends the lists of the caller's servers to the last page of a list. Entries for all callers do not change. */
export async function appendCallerLists(
  outcome: Outcome,
  call: Call,
  servers: readonly CallerServer[],
): Promise<Outcome> {
  const page = toPage(outcome);
  call.keepPrivate();
  if (page.nextCursor !== undefined) return page;
  const { member, key } = lists[call.method as keyof typeof lists];
  const { [registryOf[member]]: registry } = call.server.catalog;
  const rows = [...((page[member] ?? []) as Record<string, unknown>[])];
  const seen = new Set<unknown>();
  let meta = page._meta;
  for (const each of servers) {
    for (const own of await readPages(each.server, call)) {
      if (own._meta !== undefined) meta = joinMeta(meta ?? {}, own._meta);
      for (const row of (own[member] ?? []) as Record<string, unknown>[]) {
        const name = (key === 'name' ? each.prefix : '') + (row[key] as string);
        if (registry.has(name) || seen.has(name)) continue;
        seen.add(name);
        rows.push(each.prefix === '' ? row : { ...row, [key]: name });
      }
    }
  }
  return { ...page, [member]: rows, ...(meta && { _meta: meta }) };
}

/** All pages of a list of another server, for the caller of this one. */
async function readPages(server: CallerServer['server'], call: Call): Promise<Page[]> {
  const { server: asked, params } = call;
  const pages: Page[] = [];
  try {
    call.server = server;
    let cursor: unknown;
    do {
      const { cursor: _, ...rest } = params;
      call.params = cursor === undefined ? rest : { ...rest, cursor };
      const page = toPage(await server.run(call));
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== undefined && !call.isOver);
    return pages;
  } finally {
    call.server = asked;
    call.params = params;
  }
}

function toPage(outcome: Outcome): Page {
  return (outcome instanceof PreparedResult ? outcome.toJSON() : outcome) as Page;
}

/** Merges `_meta` of several sources. Lists under one key are concatenated. */
export function joinMeta(all: Meta, meta: Meta): Meta {
  const joined = { ...all };
  for (const [key, value] of Object.entries(meta)) {
    const known = joined[key];
    joined[key] =
      Array.isArray(known) && Array.isArray(value) ? [...(known as unknown[]), ...(value as unknown[])] : value;
  }
  return joined;
}
