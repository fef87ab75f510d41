import type { ErrorBody } from '../../jsonrpc/errors.ts';
import {
  type Params,
  PreparedResult,
  type RequestId,
  type Response,
  type Notification,
} from '../../jsonrpc/message.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { CallToolResult, Result } from '../../protocol/results.ts';
import type { Revision, Caller } from '../../revisions/revision.ts';
import type { Store } from '../../stores/store.ts';
import type { Auth, Exchange, RunningCall } from '../exchange.ts';
import { idempotencyMetaKey, MetaKey } from '../../protocol/meta.ts';

/** A call, as far as it can be kept. */
interface KeepableCall {
  readonly method: string;
  readonly received: { readonly params?: Params };
  readonly caller: Caller;
  readonly auth: Auth | undefined;
  readonly answers: Readonly<Record<string, unknown>> | undefined;
}

/** Good for one request only, or said of the client elsewhere. */
const passing: readonly string[] = [
  idempotencyMetaKey,
  'progressToken',
  MetaKey.protocolVersion,
  MetaKey.clientCapabilities,
  MetaKey.clientInfo,
  MetaKey.logLevel,
];

/** All that is needed to do the work of a call again. */
export function serializeCall({ method, received, caller, auth, answers }: KeepableCall): KeptCall {
  const { _meta = {}, inputResponses: _, requestState: __, ...params } = received.params ?? {};
  const meta = Object.entries(_meta as Params).filter(([name]) => !passing.includes(name));
  const { revision, capabilities, clientInfo } = caller;
  return {
    method,
    params: meta.length === 0 ? params : { ...params, _meta: Object.fromEntries(meta) },
    revision: revision.version,
    capabilities,
    ...(clientInfo !== undefined && { clientInfo }),
    ...(auth !== undefined && { auth: keptAuth(auth) }),
    ...(answers !== undefined && { answers }),
  };
}

/** A call of a tool that goes on. */
interface GoingCall {
  readonly received: Notification;
  readonly tool: { readonly key: string } | undefined;
}

const bare = new WeakMap<object, Notification>();

/** The message of a call without its arguments: most calls of one tool share it then. */
export function withoutArguments({ received, tool }: GoingCall): Notification {
  const { method, params = {} } = received;
  const { name, _meta } = params;
  if (_meta !== undefined) return { jsonrpc: '2.0', method, params: { name, _meta } };
  const known = tool && bare.get(tool);
  if (known?.method === method && known.params?.name === name) return known;
  const message: Notification = { jsonrpc: '2.0', method, params: { name } };
  if (tool !== undefined) bare.set(tool, message);
  return message;
}

/*
 * A request may be answered before its work is done: with a result that stands for the one to come. The call then goes on
 * aside, where nobody waits for it, and whoever answered it hears what comes of it.
 */

/** What a call goes on with that was answered before its work was done. */
export interface Aside {
  /** Asks the client in a way of its own, and waits for the answer. Absent: nothing can be asked any more. */
  ask?(question: AsideQuestion): Promise<Record<string, unknown>>;
  /** Takes how far the work is, in place of a notification. */
  progress?(progress: number, total?: number, message?: string): void;
  /** The handler has given up, before that is made an outcome. */
  gaveUp?(): void;
  /** The work is over: what came of it, as the newest revision has it; undefined where it was called off. */
  end(outcome: AsideOutcome | undefined): void;
}

/** A question of a handler, with a key that is the same when the handler runs again. */
export interface AsideQuestion {
  readonly key: string;
  readonly method: string;
  readonly params: Params | undefined;
}

/** What came of a call: a result, or an error in its place. */
export type AsideOutcome = { readonly result: Result } | { readonly error: ErrorBody };

/** A call that goes on aside, for whoever answered it. */
export interface AsideCall {
  /** Tells the handler to stop; what it still returns counts. */
  stop(reason: unknown): void;
  /** Ends the call without an outcome and tells its handler to stop. */
  cancel(reason?: string): void;
}

/** All that is needed to do the work of a call again, later or elsewhere. It can be written as JSON. */
export interface KeptCall {
  readonly method: string;
  /** As they came, without what is good for one request only. */
  readonly params: Params;
  /** The revision that the client speaks. */
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo?: Implementation | undefined;
  /** Who called: what was found out about them, and nothing that they showed for it. */
  readonly auth?: Auth | undefined;
  /** What the client answered in earlier rounds of the request, by the key of the question. */
  readonly answers?: Readonly<Record<string, unknown>> | undefined;
}

/** A server while a transport serves it. */
export interface Service {
  /** The name of the server, by which its instances know each other. */
  readonly name: string;
  /** What all instances share, or this process's own memory. */
  readonly store: Store;
  /** True where there may be other instances. */
  readonly shared: boolean;
  /** Does the work of a call again that was kept. Nobody waits for its answer but what it goes on with. */
  again(kept: KeptCall, aside: Aside): AsideCall;
  /** Writes an error to this side's log, with its stack. */
  reportError(message: string, error: unknown): void;
}

/** Why a server is served no more: its transport stops, or another server takes its place and it may finish what it began. */
export type EndOfService = 'stopped' | 'replaced';

const known = ['principal', 'scopes', 'id', 'issuer', 'subject', 'clientId', 'claims'] as const;

/** What may be kept of a caller: no token, no header, nothing that only a transport knows of. */
function keptAuth(auth: Auth): Auth {
  const kept: Record<string, unknown> = {};
  for (const name of known) if (auth[name] !== undefined) kept[name] = auth[name];
  return kept as unknown as Auth;
}

const none: ReadonlyMap<RequestId, RunningCall> = new Map();

/** The exchange of a call that goes on aside: its client is not there any more, and nobody can find it by its id. */
class AsideExchange implements Exchange {
  readonly auth?: Auth;
  readonly store?: Store;

  constructor({ auth, store }: Pick<Exchange, 'auth' | 'store'>) {
    if (auth !== undefined) this.auth = keptAuth(auth);
    if (store !== undefined) this.store = store;
  }

  get running(): Map<RequestId, RunningCall> {
    return none as Map<RequestId, RunningCall>;
  }

  send(): void {}
}

const withStore = new WeakMap<Store, AsideExchange>();

/** The exchange of a call that goes on aside, once for all of nobody in particular that have the same store. */
export function asideExchange(given: Pick<Exchange, 'auth' | 'store'>): AsideExchange {
  const { auth, store } = given;
  if (auth !== undefined || store === undefined) return new AsideExchange(given);
  const shared = withStore.get(store) ?? new AsideExchange(given);
  withStore.set(store, shared);
  return shared;
}

/** Stands for the result of a call whose handler works on while nobody here waits: what comes of it is told otherwise. */
export const goesOn: CallToolResult = Object.freeze({ content: [], isError: false });

/** What came of a call, as it is kept. */
export function outcomeOf(response: Response | undefined): AsideOutcome | undefined {
  if (response === undefined) return undefined;
  if ('error' in response) return { error: response.error };
  const { result } = response;
  return { result: (result instanceof PreparedResult ? result.toJSON() : result) as Result };
}

/** Who is told what came of a call. */
interface Hearer {
  readonly revision: Revision;
  readonly host: { readonly tools: { entry(name: string): { readonly listing: object } | undefined } };
}

/** An outcome that was kept, as a client of this revision is told it. */
export function toldTo<O extends AsideOutcome>({ revision, host }: Hearer, outcome: O, tool: string): O {
  if ('error' in outcome) {
    const { error } = outcome;
    const code = revision.codes.get(error.code);
    return code === undefined ? outcome : { ...outcome, error: { ...error, code } };
  }
  const narrow = revision.downgrade['tools/call'];
  if (narrow === undefined) return outcome;
  return { ...outcome, result: narrow(outcome.result as CallToolResult, host.tools.entry(tool)?.listing ?? {}) };
}
