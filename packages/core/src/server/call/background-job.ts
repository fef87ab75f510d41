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
import { type Auth, lastingAuth, type Peer, type RunningCall } from '../peer.ts';
import { requestMetaKeys } from '../../protocol/meta.ts';

/** A call, as far as it can be serialized. */
interface SerializableCall {
  readonly method: string;
  readonly received: { readonly params?: Params };
  readonly caller: Caller;
  readonly peer: Pick<Peer, 'auth'>;
  readonly openInquiry: { readonly answers: Readonly<Record<string, unknown>> | undefined } | undefined;
}

/** Serializes a call, so that it can be replayed. */
export function serializeCall({ method, received, caller, peer, openInquiry }: SerializableCall): SerializedCall {
  const { auth } = peer;
  const answers = openInquiry?.answers;
  const { _meta = {}, inputResponses: _, requestState: __, ...params } = received.params ?? {};
  const meta = Object.entries(_meta as Params).filter(([name]) => !requestMetaKeys.includes(name));
  const { revision, capabilities, clientInfo } = caller;
  return {
    method,
    params: meta.length === 0 ? params : { ...params, _meta: Object.fromEntries(meta) },
    revision: revision.version,
    capabilities,
    ...(clientInfo !== undefined && { clientInfo }),
    ...(auth !== undefined && { auth: storableAuth(auth) }),
    ...(answers !== undefined && { answers }),
  };
}

/** A running call of a tool. */
interface ToolCall {
  readonly received: Notification;
  readonly tool: { readonly key: string } | undefined;
}

const bare = new WeakMap<object, Notification>();

/** The message of a call without its arguments: most calls of one tool share it then. */
export function withoutArguments({ received, tool }: ToolCall): Notification {
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
 * A request may be answered before its work is done, with a preliminary result. The call then continues in the background,
 * and its job gets the outcome.
 */

/** Takes the questions, the progress and the outcome of a call that was answered before its work was done. */
export interface Job {
  /** Asks the client through the job, and waits for the answer. Absent: the handler can't ask any more. */
  ask?(question: JobQuestion): Promise<Record<string, unknown>>;
  /** Receives progress instead of a notification. */
  progress?(progress: number, total?: number, message?: string): void;
  /** Called when the handler has failed, before that becomes an outcome. */
  onHandlerFailed?(): void;
  /** Called with the outcome in the form of the newest revision; undefined if the call was cancelled. */
  end(outcome: JobOutcome | undefined): void;
}

/** A question of a handler, with a key that is the same when the handler runs again. */
export interface JobQuestion {
  readonly key: string;
  readonly method: string;
  readonly params: Params | undefined;
}

/** The outcome of a call: a result or an error. */
export type JobOutcome = { readonly result: Result } | { readonly error: ErrorBody };

/** Controls a call that runs in the background. */
export interface JobHandle {
  /** Aborts the handler; its return value still counts. */
  stop(reason: unknown): void;
  /** Ends the call without an outcome and aborts its handler. */
  cancel(reason?: string): void;
}

/** A call that can be replayed later or on another instance. Plain JSON. */
export interface SerializedCall {
  readonly method: string;
  /** The params as received, without members that apply to one request only. */
  readonly params: Params;
  /** The client's revision. */
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo?: Implementation | undefined;
  /** The authenticated caller, without credentials. */
  readonly auth?: Auth | undefined;
  /** The client's answers in earlier rounds of the request, by the key of the question. */
  readonly answers?: Readonly<Record<string, unknown>> | undefined;
}

/** A server while a transport serves it. */
export interface Service {
  /** The name of the server, the same on all instances. */
  readonly name: string;
  /** The shared store, or the memory of this process. */
  readonly store: Store;
  /** True if there may be other instances. */
  readonly shared: boolean;
  /** Runs a serialized call again. Its outcome goes to the job. */
  replay(call: SerializedCall, job: Job): JobHandle;
  /** Writes an error to this side's log, with its stack. */
  reportError(message: string, error: unknown): void;
}

/** Why serving ends: the transport stops, or another server replaces this one, which may finish its work. */
export type CloseReason = 'stopped' | 'replaced';

/** The part of a caller that may be stored: no token, no header, nothing of the transport. */
function storableAuth(auth: Auth): Auth {
  const kept: Record<string, unknown> = {};
  for (const name of lastingAuth) if (auth[name] !== undefined) kept[name] = auth[name];
  return kept as unknown as Auth;
}

const none: ReadonlyMap<RequestId, RunningCall> = new Map();

/** The peer of a call that runs in the background: its client is disconnected, and no request finds it by its id. */
class DetachedPeer implements Peer {
  readonly auth?: Auth;
  readonly store?: Store;

  constructor({ auth, store }: Pick<Peer, 'auth' | 'store'>) {
    if (auth !== undefined) this.auth = storableAuth(auth);
    if (store !== undefined) this.store = store;
  }

  get running(): Map<RequestId, RunningCall> {
    return none as Map<RequestId, RunningCall>;
  }

  send(): void {}
}

const withStore = new WeakMap<Store, DetachedPeer>();

/** The peer of a call that runs in the background. Anonymous calls with the same store share one. */
export function detachedPeer(given: Pick<Peer, 'auth' | 'store'>): DetachedPeer {
  const { auth, store } = given;
  if (auth !== undefined || store === undefined) return new DetachedPeer(given);
  const shared = withStore.get(store) ?? new DetachedPeer(given);
  withStore.set(store, shared);
  return shared;
}

/** The placeholder result of a call whose handler runs in the background: its job gets the real one. */
export const backgroundResult: CallToolResult = Object.freeze({ content: [], isError: false });

/** The outcome of a call, as it is stored. */
export function outcomeOf(response: Response | undefined): JobOutcome | undefined {
  if (response === undefined) return undefined;
  if ('error' in response) return { error: response.error };
  const { result } = response;
  return { result: (result instanceof PreparedResult ? result.toJSON() : result) as Result };
}

/** The caller that reads an outcome. */
interface OutcomeReader {
  readonly revision: Revision;
  readonly host: {
    readonly catalog: { readonly tools: { readonly entries: ReadonlyMap<string, { readonly listing: object }> } };
  };
}

/** A stored outcome in the form of a client's revision. */
export function toRevision<O extends JobOutcome>({ revision, host }: OutcomeReader, outcome: O, tool: string): O {
  if ('error' in outcome) {
    const { error } = outcome;
    const code = revision.codes.get(error.code);
    return code === undefined ? outcome : { ...outcome, error: { ...error, code } };
  }
  const downgrade = revision.downgrade['tools/call'];
  if (downgrade === undefined) return outcome;
  return {
    ...outcome,
    result: downgrade(outcome.result as CallToolResult, host.catalog.tools.entries.get(tool)?.listing ?? {}),
  };
}

/** Maximum number of cached callers. */
const maxCallers = 100;

/** Maximum length of a cached caller. */
const maxLength = 1000;

const known = new Map<string, Caller>();

/** The stored caller of a background call. Equal callers share one object to save memory. */
export function internCaller({ revision, capabilities, clientInfo }: Caller): Caller {
  const text = JSON.stringify([revision.version, capabilities, clientInfo]);
  const shared = known.get(text);
  if (shared?.revision === revision) return shared;
  const caller: Caller = { revision, capabilities, clientInfo, logLevel: undefined };
  if (text.length > maxLength) return caller;
  if (known.size === maxCallers) known.clear();
  known.set(text, caller);
  return caller;
}
