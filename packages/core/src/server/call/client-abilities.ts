import { isObject, type RequestId } from '../../jsonrpc/message.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Ability } from '../../protocol/questions.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { Aside } from './background-job.ts';
import type { Exchange } from '../exchange.ts';

/** What decides whether a client can be asked something while a message is served. */
export interface AskableCall {
  readonly method: string;
  readonly requestId: RequestId | undefined;
  readonly revision: Revision;
  readonly exchange: Pick<Exchange, 'ask'>;
  readonly clientCapabilities: ClientCapabilities;
  /** What the call goes on with, where it was answered before its work was done. */
  readonly aside: Aside | undefined;
}

/** True where asking will reach the client: it said that it can, its revision has the question, and there is a way. */
export function hasAbility(call: AskableCall, ability: Ability): boolean {
  return declaresAbility(call.clientCapabilities, ability) && call.revision.abilities.has(ability) && isAskable(call);
}

/** True where the client said that it can do this, in whatever revision. */
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

/** True where a question can be put: on the spot, or in the answer to a request that may be answered with questions. */
export function isAskable(call: Omit<AskableCall, 'clientCapabilities'>): boolean {
  const { revision, exchange, method, requestId, aside } = call;
  if (aside !== undefined) return aside.ask !== undefined;
  if (revision.asksBy === 'request') return exchange.ask !== undefined;
  // Which methods of its own may ask, an extension knows itself.
  return requestId !== undefined && (revision.resumes.has(method) || !revision.requests.has(method));
}
