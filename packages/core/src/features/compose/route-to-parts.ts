import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { MethodFacts } from '../../protocol/methods.ts';
import type { Call } from '../../server/call/call.ts';
import { contextOf } from '../../server/call/operation-context.ts';
import type { Outcome } from '../../server/call/operation.ts';
import type { Engine } from '../../server/engine.ts';
import { fillAll } from '../../server/lists/list-source.ts';
import { findResource, readableFor } from '../../server/methods/resources/find.ts';
import type { Peer } from '../../server/peer.ts';
import type { Step } from '../../server/pipeline/step.ts';

/** A server that is part of a composed one. */
export interface Member {
  label: string;
  server: Engine;
  prefix: string;
}

/** What a server offers. */
export type Kind = 'tools' | 'prompts' | 'resources' | 'templates';

/** A part, and what the whole shows of it. */
export interface ShownPart {
  readonly member: Member;
  shows(kind: Kind, name: unknown): boolean;
}

/** A composed server. */
export interface ComposedParts {
  readonly whole: Engine;
  /** In the order in which they are asked for what several of them offer. */
  readonly parts: readonly ShownPart[];
  /** True for a request that the whole serves itself. */
  joins(method: string): boolean;
}

/** Passes calls of a composed server on to the part that serves them. */
export function routeToParts({ whole, parts, joins }: ComposedParts): Step {
  return (next) => (call) => {
    if (joins(call.method)) return next(call);
    const owner = ownerOf(call, parts);
    if (owner !== undefined) return passTo(owner, call);
    if (whole.listSources.length === 0 || factsOf(call).belongsTo === undefined) return next(call);
    const filling = fillAll(whole.listSources, contextOf(call));
    if (filling.length === 0) return next(call);
    return serveWhenFilled(filling, () => {
      const found = ownerOf(call, parts);
      return found === undefined ? next(call) : passTo(found, call);
    });
  };
}

async function serveWhenFilled(filling: Promise<unknown>[], serve: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  await Promise.allSettled(filling);
  return serve();
}

function passTo(owner: Member, call: Call): Outcome | Promise<Outcome> {
  const params = paramsFor(call, owner);
  call.server = owner.server;
  call.params = params;
  return owner.server.runPassed(call);
}

/** Who serves a call; undefined for what concerns the whole, such as lists. */
function ownerOf(call: Call, parts: readonly ShownPart[]): Member | undefined {
  const { method, params, peer } = call;
  const find = (offers: (member: Member) => boolean, shown?: { kind: Kind; name: unknown }): Member | undefined => {
    // Of several parts that offer the same, the one that is shown serves it.
    const shows = shown && parts.find((part) => part.shows(shown.kind, shown.name) && offers(part.member));
    return (shows ?? parts.find(({ member }) => offers(member)))?.member;
  };
  const findNamed = (kind: 'tools' | 'prompts'): Member | undefined =>
    find(({ server, prefix }) => hasUnprefixed(server.catalog[kind], params.name, prefix), { kind, name: params.name });
  switch (factsOf(call).belongsTo) {
    case 'tool':
      return findNamed('tools');
    case 'prompt':
      return findNamed('prompts');
    case 'resource':
      return find(({ server }) => offersResource(server, params.uri, peer), { kind: 'resources', name: params.uri });
    case 'reference':
      return find((member) => completes(member, params.ref, peer), shownReference(params.ref));
    case undefined:
      return find(({ server: { extensions } }) => extensions.adds(method));
  }
}

function factsOf({ host, method }: Call): MethodFacts {
  return host.methods.of(method);
}

function shownReference(ref: unknown): { kind: Kind; name: unknown } | undefined {
  if (!isObject(ref)) return undefined;
  return ref.type === 'ref/prompt' ? { kind: 'prompts', name: ref.name } : { kind: 'templates', name: ref.uri };
}

function hasUnprefixed(registry: { has(name: string): boolean }, name: unknown, prefix: string): boolean {
  return typeof name === 'string' && name.startsWith(prefix) && registry.has(name.slice(prefix.length));
}

function offersResource(server: Engine, uri: unknown, peer: Peer): boolean {
  return typeof uri === 'string' && findResource({ server, peer }, uri) !== undefined;
}

function completes({ server, prefix }: Member, ref: unknown, peer: Peer): boolean {
  if (!isObject(ref)) return false;
  if (ref.type === 'ref/prompt') return hasUnprefixed(server.catalog.prompts, ref.name, prefix);
  return typeof ref.uri === 'string' && readableFor({ server, peer }, ref.uri) !== undefined;
}

/** The call's params with the names as the part knows them. */
function paramsFor({ host, method, params }: Call, { prefix }: Member): Params {
  if (prefix === '') return params;
  switch (host.methods.of(method).belongsTo) {
    case 'tool':
    case 'prompt':
      return withoutPrefix(params, prefix);
    case 'reference':
      return { ...params, ref: withoutPrefix(params.ref as Params, prefix) };
    default:
      return params;
  }
}

function withoutPrefix(named: Params, prefix: string): Params {
  return typeof named.name === 'string' ? { ...named, name: named.name.slice(prefix.length) } : named;
}
