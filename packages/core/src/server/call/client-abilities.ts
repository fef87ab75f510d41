import { isObject } from '../../jsonrpc/message.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Ability } from '../../protocol/questions.ts';
import type { Call } from './call.ts';

/**
 * True if the client can be asked: it declared the capability, its revision has the question, and the transport can
 * reach it.
 */
export function hasAbility(call: Call, ability: Ability): boolean {
  return declaresAbility(call.caller.capabilities, ability) && call.revision.abilities.has(ability) && isAskable(call);
}

/** True if the client declared this capability. */
export function declaresAbility({ elicitation, sampling, roots }: ClientCapabilities, ability: Ability): boolean {
  switch (ability) {
    case 'elicit':
      return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
    case 'elicit-url':
      return isObject(elicitation) && elicitation.url !== undefined;
    case 'sample':
      return isObject(sampling);
    case 'sample-tools':
      return isObject(sampling) && sampling.tools !== undefined;
    case 'roots':
      return isObject(roots);
  }
}

/**
 * True if a question can be asked: by a request, or in the response to a method that may be answered with questions.
 */
export function isAskable(call: Call): boolean {
  const { revision, peer, method, requestId, job } = call;
  if (job !== undefined) return job.ask !== undefined;
  if (revision.asksBy === 'request') return peer.ask !== undefined;
  // Extensions decide themselves which of their methods may ask.
  return requestId !== undefined && (revision.resumes.has(method) || !revision.requests.has(method));
}
