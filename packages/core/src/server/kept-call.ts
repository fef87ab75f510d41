import type { Notification, Params } from '../jsonrpc/message.ts';
import { idempotencyMetaKey, MetaKey } from '../protocol/meta.ts';
import type { Caller } from '../revisions/revision.ts';
import { keptAuth, type KeptCall } from './aside.ts';
import type { Auth } from './exchange.ts';

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
export function keepCall({ method, received, caller, auth, answers }: KeepableCall): KeptCall {
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
