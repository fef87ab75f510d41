import { type ErrorResponse, type Notification, parseMessage } from '../../../../jsonrpc/message.ts';
import { fastParseToolCall } from '../../../../jsonrpc/fast-parse.ts';
import { logRejection } from '../../../../server/log/log-rejection.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import { overQuota, reject } from '../answer/reject.ts';
import { sendJson } from '../answer/send.ts';
import type { Body } from '../bindings/binding.ts';
import { bodyQuotaExceeded, countUntilServed, shortText } from '../bindings/body-quota.ts';
import type { HttpContext } from '../endpoint/context.ts';
import { bodyProblem } from './read.ts';
import { shuttingDown } from './route.ts';
import type { Step } from './step.ts';

/** Parses the body. Answers 400 where it is no message, and 429 where its caller has no memory quota left for it. */
export const parse: Step = (next) => (context) => {
  const { endpoint, usage } = context;
  const body = context.body as Body;
  // The text must not live as long as the request.
  context.body = undefined;
  if ('problem' in body) return reject(context, bodyProblem(body, endpoint.maxBody));
  // The handler may have been closed while the body came in.
  if (endpoint.closed) return reject(context, shuttingDown());
  const { text } = body;
  // As `parse`, written out: one function less for each request.
  const call = fastParseToolCall(text);
  const message = call === undefined ? parseMessage(text) : ({ kind: 'request', message: call } as const);
  context.message = message;
  if (message.kind === 'invalid') return rejectMessage(context, message.answer);
  const full = text.length > shortText ? bodyQuotaExceeded(usage, text.length) : undefined;
  if (full !== undefined && (message.kind === 'request' || message.kind === 'batch')) {
    const id = message.kind === 'request' ? { id: message.message.id } : {};
    return reject(context, { ...overQuota(full, 'incoming'), ...id });
  }
  const serving = next(context);
  return serving instanceof Promise && !isLongLived(context) ? countUntilServed(usage, serving, text) : serving;
};

/** True for a request that lasts until it is closed. Its message is dropped when it begins. */
function isLongLived({ message }: HttpContext): boolean {
  return message === undefined;
}

/** Answers 400 with a JSON-RPC error and logs it; a client with a session gets the log entry on its stream. */
export function rejectMessage(context: HttpContext, answer: ErrorResponse): void {
  logRejected(context, answer);
  sendJson(context, 400, JSON.stringify(answer));
}

function logRejected({ endpoint: { server, sessions }, http, auth }: HttpContext, answer: ErrorResponse): void {
  if (server.options.logRejections !== true) return;
  const id = http.header('mcp-session-id');
  runInBackground(server, async () => {
    const session = id === undefined ? undefined : await sessions.find(id, auth?.principal);
    if (id === undefined || session === undefined) return logRejection(server, answer);
    const notify = (notification: Notification): void =>
      runInBackground(server, () => sessions.publish(id, { kind: 'notify', notification }));
    logRejection(server, answer, { session, notify });
  });
}
