import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import type { ErrorResponse, Response } from '../../../../jsonrpc/message.ts';
import { type EncodedResponse, encodeResponses, type Responses } from '../../../../server/call/encode-responses.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import { headerLines, reject, type Rejection, retryStatus, unavailable } from '../answer/reject.ts';
import { rateLimitHeaders } from '../answer/rate-limit-headers.ts';
import { addHeaders, sendEmpty, sendJson } from '../answer/send.ts';
import { scopeStatus } from '../endpoint/auth-challenge.ts';
import type { HttpContext } from '../endpoint/context.ts';
import { trackRunning } from '../endpoint/track-running.ts';
import { retryMs } from '../streams/event.ts';
import { longText } from '../streams/streams.ts';

/**
 * Ends the answer to a POST with its response: a JSON body, or the last event where a stream has begun. Without a response
 * the request was cancelled.
 */
export function respond(context: HttpContext, response: Responses): Awaitable<void> {
  context.done = true;
  if (response === undefined) return context.stream === undefined ? sendEmpty(context, 202) : context.stream.end();
  const json = encodeResponses(context.endpoint.server, response);
  if (context.stream === undefined) {
    if (context.rates !== undefined) addHeaders(context, rateLimitHeaders(context.rates));
    if (!Array.isArray(response) && 'error' in response) {
      const { status, headers } = statusOf(context, response);
      if (headers !== undefined) addHeaders(context, headerLines(headers));
      if (status !== 200 || headers !== undefined) return sendJson(context, status, json);
    }
    if (json.length > longText && lacksMemory(context, response)) return rejectLong(context, response);
    if (context.accepts.json) return sendJson(context, 200, json);
    context.rates = undefined;
  }
  return context.openStream(retryMs()).end(json);
}

/** Responds when the response is ready. Until then shutdown, and other instances of a session, can end the request. */
export async function respondLater(context: HttpContext, response: Promise<Responses>): Promise<void> {
  const untrack = trackRunning(context.endpoint, context);
  const leave = context.member?.id === undefined ? undefined : followSession(context, context.member.id);
  try {
    await respond(context, await response);
  } finally {
    untrack();
    leave?.();
  }
}

/** Lets other instances cancel a request and resume its stream. Returns the function that stops that. */
function followSession(context: HttpContext, id: string): () => void {
  const { server, sessions } = context.endpoint;
  let isOver = false;
  let leave: (() => void) | undefined;
  runInBackground(server, async () => {
    const { live, release } = await sessions.acquire(id);
    const unfollow = live.follow(context);
    const ignore = live.onEvent((event) => {
      if (event.kind === 'taken-up' && event.stream === context.stream?.id) context.stream?.disconnect();
    });
    leave = () => {
      unfollow();
      ignore();
      release();
    };
    if (isOver) leave();
  });
  return () => {
    isOver = true;
    leave?.();
  };
}

/** True if clients are too slow to read for another long response. The next one like it need not be made. */
function lacksMemory(
  { endpoint: { memory, server }, message }: HttpContext,
  response: Response | EncodedResponse[],
): boolean {
  const { longResponses, slowConsumers } = memory;
  if (message?.kind === 'request') longResponses.add(message.message, server.methods);
  if (message?.kind === 'batch' && Array.isArray(response)) {
    const long = new Set(response.filter(({ json }) => json.length > longText).map(({ id }) => id));
    for (const item of message.items) {
      if (item.kind === 'request' && long.has(item.message.id)) longResponses.add(item.message, server.methods);
    }
  }
  return slowConsumers.backpressured;
}

function rejectLong(context: HttpContext, response: Response | EncodedResponse[]): void {
  const id = Array.isArray(response) ? undefined : response.id;
  context.usage.countRejection('busy', 'server');
  const rejection = unavailable('Server busy: too many answers wait for their clients to read them', 1);
  return reject(context, { ...rejection, ...(id !== undefined && { id }) });
}

/** Most errors have status 200. These concern the HTTP request: quotas, scopes, and headers of the stateless era. */
function statusOf(context: HttpContext, response: ErrorResponse): Pick<Rejection, 'status' | 'headers'> {
  const other = retryStatus(response) ?? scopeStatus(context, response.error);
  if (other !== undefined) return other;
  if (context.message?.kind === 'batch') return { status: 400 };
  return { status: context.session === undefined ? statelessStatus(response.error.code) : 200 };
}

function statelessStatus(code: number): number {
  switch (code) {
    case ErrorCode.MethodNotFound:
      return 404;
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingClientCapability:
    case ErrorCode.UnsupportedVersion:
      return 400;
    default:
      return 200;
  }
}
