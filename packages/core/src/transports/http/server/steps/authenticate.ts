import { type Authenticator, type AuthRejection, challengeBy } from '../../../../auth/server/authenticator.ts';
import { type Awaitable, isThenable } from '../../../../jsonrpc/awaitable.ts';
import type { Auth } from '../../../../server/peer.ts';
import { headerLines, reject } from '../answer/reject.ts';
import { addHeaders } from '../answer/send.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { Handler, Step } from './step.ts';

/** Finds out who calls. Answers 401 to wrong credentials, and to none if they are required. */
export function authenticate(auth: Authenticator): Step {
  return (next) => (context) => {
    const caller = auth.authenticate(context.http);
    if (!isThenable(caller)) return enter(auth, context, caller, next);
    return Promise.resolve(caller).then((known) => enter(auth, context, known, next));
  };
}

function enter(
  auth: Authenticator,
  context: HttpContext,
  caller: Auth | AuthRejection | undefined,
  next: Handler,
): Awaitable<void> {
  const { http } = context;
  if (caller === undefined) {
    if (auth.anonymous !== true) return reject(context, challengeBy(auth, http, { needed: [], caller }));
  } else {
    if (!('principal' in caller)) return reject(context, caller);
    context.auth = caller;
  }
  const headers = auth.answerHeaders?.(http);
  if (headers !== undefined) addHeaders(context, headerLines(headers));
  return next(context);
}
