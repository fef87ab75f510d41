import type { Ability, ClientCapabilities, Operation, Result } from '@ccmcp/core';
import type { Params } from '@ccmcp/core/client';

/** Members of `_meta` for one hop: each side of the gateway writes its own. */
const hopKeys = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/serverInfo',
  'io.modelcontextprotocol/related-task',
]);
const logLevelKey = 'io.modelcontextprotocol/logLevel';

/** The params of a request as they are sent upstream. */
export function toUpstreamParams(params: Params, era: 'handshake' | 'stateless', more: Params): Params {
  const { _meta, inputResponses: _, requestState: __, task: ___, ...rest } = params;
  const meta = withoutHopKeys(_meta as Params | undefined, era === 'handshake');
  return { ...rest, ...more, ...(meta && { _meta: meta }) };
}

/** Converts an upstream result to the newest shape, without members of the upstream's revision. */
export function toResult(result: Result, { era, method }: Pick<Operation, 'era' | 'method'>): Result {
  const { resultType: _, _meta, ...rest } = result;
  const meta = withoutHopKeys(_meta);
  const passed: Result = meta === undefined ? rest : { ...rest, _meta: meta };
  if (era === 'handshake') {
    delete passed.ttlMs;
    delete passed.cacheScope;
  }
  if (method === 'tools/call' && !Array.isArray(passed.content)) passed.content = [];
  return passed;
}

/** `_meta` without members for one hop; undefined if it becomes empty. */
export function withoutHopKeys(meta: Params | undefined, isHandshake = false): Params | undefined {
  if (meta === undefined) return undefined;
  const kept = Object.entries(meta).filter(([key]) => !hopKeys.has(key) && !(isHandshake && key === logLevelKey));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Identifies capabilities: a call may use a connection with the same key, and sees the lists that are read under it. */
export function toAbilitiesKey(abilities: ClientCapabilities): string {
  return JSON.stringify(abilities);
}

/** What `abilitiesKeyOf` returned, by the declared capabilities of a session or request. */
const abilitiesKeys = new WeakMap<object, string>();

/** Identifies the capabilities of the caller to answer questions: that of a connection with the same ones. */
export function abilitiesKeyOf(operation: Operation): string {
  const { clientCapabilities } = operation;
  let key = abilitiesKeys.get(clientCapabilities);
  if (key === undefined) {
    key = toAbilitiesKey(askableOf(operation));
    abilitiesKeys.set(clientCapabilities, key);
  }
  return key;
}

const noAbilities: ClientCapabilities = Object.freeze({});

/** The capabilities of the caller of a request to answer questions, in the newest shape. */
export function askableOf({ era, can, clientCapabilities }: Operation): ClientCapabilities {
  const { elicitation, sampling, roots } = clientCapabilities;
  if (elicitation === undefined && sampling === undefined && roots === undefined) return noAbilities;
  // An older client may declare capabilities that its revision lacks.
  const has = (ability: Ability): boolean => era === 'stateless' || can(ability);
  const abilities: ClientCapabilities = {};
  if (elicitation !== undefined) {
    const { form, url } = elicitation;
    const hasForm = (form !== undefined || url === undefined) && has('elicit');
    const hasUrl = url !== undefined && has('elicit-url');
    if (hasForm || hasUrl) abilities.elicitation = { ...(hasForm && { form: {} }), ...(hasUrl && { url: {} }) };
  }
  if (sampling !== undefined && has('sample')) {
    const { context, tools } = sampling;
    abilities.sampling = { ...(context && { context: {} }), ...(tools && has('sample-tools') && { tools: {} }) };
  }
  if (roots !== undefined && has('roots')) abilities.roots = {};
  return abilities;
}
