import { ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { MethodFacts } from '../../protocol/methods.ts';
import type { Call } from '../../server/call/call.ts';
import { contextOf } from '../../server/call/operation-context.ts';
import type { Operation, Outcome } from '../../server/call/operation.ts';
import type { Engine } from '../../server/engine.ts';
import type { ServerExtension } from '../../server/extension.ts';
import { fillAll } from '../../server/lists/list-source.ts';
import { offers } from '../../server/lists/offers.ts';
import type { CallerServer } from '../../server/pipeline/caller-servers.ts';
import type { Run, Step } from '../../server/pipeline/step.ts';

/** A server that is part of a composed one. */
export interface Member {
  label: string;
  server: Engine;
  prefix: string;
  /** Its extensions, in their form for the composed server. */
  extensions: readonly ServerExtension[];
}

/** The items of a server. */
export type Kind = 'tools' | 'prompts' | 'resources' | 'templates';

/** A part, and the entries of it that the composed server shows. */
export interface ShownPart {
  readonly member: Member;
  shows(kind: Kind, name: unknown): boolean;
}

/** A composed server. */
export interface ComposedParts {
  readonly whole: Engine;
  /** By precedence: if several parts offer the same, the first one serves it. */
  readonly parts: readonly ShownPart[];
  /** True for a request that the composed server serves itself. */
  joins(method: string): boolean;
  /** The servers of a part for one caller, with the names that the composed server shows. */
  serversOf(member: Member, operation: Operation): CallerServer[];
}

/** Forwards calls of a composed server to the part that serves them. */
export function routeToParts({ whole, parts, joins, serversOf }: ComposedParts): Step {
  return (next) => (call) => {
    if (joins(call.method)) return next(call);
    const owner = ownerOf(call, parts);
    if (owner !== undefined) return passTo(owner, call);
    if (whole.listSources.length === 0 || factsOf(call).belongsTo === undefined) return next(call);
    const operation = contextOf(call);
    const offersToCaller = ({ member }: ShownPart): boolean =>
      serversOf(member, operation).some((each) => offers(each, call));
    const isOwned = (): boolean => ownerOf(call, parts) !== undefined;
    const fillAndServe = (): Outcome | Promise<Outcome> => {
      const { listSources } = whole;
      const servers = whole.serversFor(operation);
      const filling = fillAll([...listSources, ...servers.flatMap(({ server }) => server.listSources)], operation);
      const serve = (): Outcome | Promise<Outcome> => {
        const found = ownerOf(call, parts) ?? parts.find(offersToCaller)?.member ?? unlistedAt(call, parts);
        if (found !== undefined) return passTo(found, call);
        // A part may have been replaced while its lists were awaited.
        return whole.listSources === listSources ? explainUnknown(next, call, whole) : fillAndServe();
      };
      return filling.length > 0 ? settledOr(isOwned, filling).then(serve) : serve();
    };
    return fillAndServe();
  };
}

/** Serves a call of a name that no part is known to offer. Its error names the lists that could not be loaded. */
function explainUnknown(next: Run, call: Call, whole: Engine): Outcome | Promise<Outcome> {
  const reasons = whole.listSources.map((source) => source.unknown?.()).filter((reason) => reason !== undefined);
  if (reasons.length === 0 || offers({ server: whole, prefix: '' }, call)) return next(call);
  const explain = (error: unknown): never => {
    if (!(error instanceof ProtocolError)) throw error;
    const shown = reasons.slice(0, maxReasons).map((reason) => reason.slice(0, 200));
    const more = reasons.length > maxReasons ? `; and ${reasons.length - maxReasons} more` : '';
    throw new ProtocolError(error.code, `${error.message} (${shown.join('; ')}${more})`, error.data);
  };
  try {
    const outcome = next(call);
    return outcome instanceof Promise ? outcome.catch(explain) : outcome;
  } catch (error) {
    return explain(error);
  }
}

/** Maximum number of lists named in an error. */
const maxReasons = 3;

/** Resolves when all are settled, or when a check made after one of them succeeds: a slow part delays no other. */
function settledOr(isDone: () => boolean, promises: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    let left = promises.length;
    const onSettled = (): void => {
      left -= 1;
      if (left === 0 || isDone()) resolve();
    };
    for (const promise of promises) promise.then(onSettled, onSettled);
  });
}

function passTo(owner: Member, call: Call): Outcome | Promise<Outcome> {
  const params = paramsFor(call, owner);
  call.server = owner.server;
  call.params = params;
  return owner.server.runPassed(call);
}

/** The part that serves a call; undefined for requests of the whole server, such as lists. */
function ownerOf(call: Call, parts: readonly ShownPart[]): Member | undefined {
  const { method, params } = call;
  const find = (isOffering: (member: Member) => boolean, shown?: { kind: Kind; name: unknown }): Member | undefined => {
    // If several parts offer the same, the one that is shown serves it.
    const shows = shown && parts.find((part) => part.shows(shown.kind, shown.name) && isOffering(part.member));
    return (shows ?? parts.find(({ member }) => isOffering(member)))?.member;
  };
  const offering = (member: Member): boolean => offers(member, call);
  switch (factsOf(call).belongsTo) {
    case 'tool':
      return find(offering, { kind: 'tools', name: params.name });
    case 'prompt':
      return find(offering, { kind: 'prompts', name: params.name });
    case 'resource':
      return find(offering, { kind: 'resources', name: params.uri });
    case 'reference':
      return find(offering, shownReference(params.ref));
    case undefined:
      return find(({ server: { extensions } }) => extensions.adds(method));
  }
}

/** The part that may have a resource that is in no list. */
function unlistedAt(call: Call, parts: readonly ShownPart[]): Member | undefined {
  const { uri } = call.params;
  if (call.method !== 'resources/read' || typeof uri !== 'string') return undefined;
  const having = (answer: string) => (part: ShownPart) =>
    part.member.server.listSources.some((source) => source.unlisted?.(uri) === answer);
  return (parts.find(having('known')) ?? parts.find(having('likely')))?.member;
}

function factsOf({ host, method }: Call): MethodFacts {
  return host.methods.of(method);
}

function shownReference(ref: unknown): { kind: Kind; name: unknown } | undefined {
  if (!isObject(ref)) return undefined;
  return ref.type === 'ref/prompt' ? { kind: 'prompts', name: ref.name } : { kind: 'templates', name: ref.uri };
}

/** The params of a call, with the names of the part. */
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

/** An entry to look up under a name or URI of the composed server, for the caller of a request. */
interface Offer extends Pick<ComposedParts, 'serversOf'> {
  readonly kind: Kind;
  readonly name: string;
  readonly operation: Operation;
}

/** True if a composed server shows an entry of a part under a name or URI, to all callers or to this one only. */
export function offersToCaller(
  parts: readonly ShownPart[],
  member: Member,
  { kind, name, operation, serversOf }: Offer,
): boolean {
  if (parts.some((part) => part.member === member && part.shows(kind, name))) return true;
  return serversOf(member, operation).some(({ server, prefix }) => {
    const own = kind === 'tools' || kind === 'prompts' ? prefix : '';
    return name.startsWith(own) && server.catalog[kind].has(name.slice(own.length));
  });
}
