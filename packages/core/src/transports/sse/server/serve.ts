import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { encode } from '../../../jsonrpc/message.ts';
import { parse } from '../../../jsonrpc/parse.ts';
import { type ClientConnection, openClientConnection } from '../../../server/client-connection.ts';
import { logRejection } from '../../../server/log/log-rejection.ts';
import { encodeResponses, type Responses } from '../../../server/call/encode-responses.ts';
import { receive } from '../../../server/receive.ts';
import { nextTurn } from '../../../runtime/timers.ts';
import type { Life } from '../../../stores/store.ts';
import { event } from '../../http/server/streams/event.ts';
import { runInBackground } from '../../../server/run-in-background.ts';
import { acquire } from '../../../features/quotas/quota.ts';
import { authPolicyOf } from '../../http/server/endpoint/auth-challenge.ts';
import { type HttpContext, originOf } from '../../http/server/endpoint/context.ts';
import type { Endpoint } from '../../http/server/endpoint/endpoint.ts';
import { endWhenCredentialsExpire } from '../../http/server/endpoint/credentials-expiry.ts';
import { overQuota, reject, unavailable } from '../../http/server/answer/reject.ts';
import { sendJson } from '../../http/server/answer/send.ts';
import { trackRunning } from '../../http/server/endpoint/track-running.ts';
import { createProgressGap, type ProgressGap } from '../../progress-gap.ts';
import { bodyProblem, contentProblem } from '../../http/server/steps/read.ts';
import { type Stream, deliveryPolicyOf } from '../../http/server/streams/streams.ts';

/** Where the two halves of the transport of the first revision live. */
export interface SsePaths {
  /** The stream from the server. Default: `/sse`. */
  stream?: string;
  /** Where messages are posted. Default: `/messages`. */
  messages?: string;
}

/** Maximum number of HTTP+SSE sessions. */
const MAX_SESSIONS = 10_000;
/** A session ends when its stream has missed this many heartbeats in a row. */
const MISSED_SIGNS = 4;

/** Opens the stream of a client. The session lasts as long as the stream. */
export async function openSse(context: HttpContext, messagePath: string): Promise<void> {
  const { usage, accepts } = context;
  if (!accepts.events) {
    return reject(context, { status: 406, message: 'Accept must allow text/event-stream' });
  }
  return acquire(usage, 'streams', (exceeded) => {
    const full = exceeded ?? usage.full('streams');
    return full === undefined ? openSession(context, messagePath) : reject(context, overQuota(full, 'streams'));
  });
}

async function openSession(context: HttpContext, messagePath: string): Promise<void> {
  const { endpoint, auth, usage } = context;
  const id = crypto.randomUUID();
  const key = keyOf(id);
  const life = lifeOf(endpoint);
  // Before the stream opens: if the session can't be stored, the client gets an error response.
  await endpoint.store.create(
    key,
    auth === undefined ? {} : { principal: auth.principal },
    usage.owner === undefined ? life : { ...life, owner: usage.owner },
  );
  const forget = (): void => runInBackground(endpoint.server, () => endpoint.store.remove(key));
  // Others may have come meanwhile.
  const fullNow = usage.full('streams');
  if (fullNow !== undefined) {
    forget();
    return reject(context, overQuota(fullNow, 'streams'));
  }
  const stream = endpoint.streams.open(context, () =>
    runInBackground(endpoint.server, () => endpoint.store.read(key, life)),
  );
  stream.onEnd(forget);
  stream.onEnd(endWhenCredentialsExpire(endpoint, context, () => stream.end()));
  try {
    const gap = createProgressGap();
    const client = openClientConnection({
      send: (message, request) => {
        stream.send({
          data: encode(message),
          name: 'message',
          weight: deliveryPolicyOf(message, endpoint.server.methods),
        });
        if (message.method !== 'notifications/progress' || request === undefined) return;
        gap.note(request);
        // The response is written when the handler yields to the event loop.
        void nextTurn().then(() => gap.flush(() => {}));
      },
      origin: originOf(context, { session: id, transport: 'sse' }),
      auth,
      // Errors are sent on the stream, whose status was sent long ago.
      authPolicy: authPolicyOf(context, () => true),
      usage,
      backpressured: () => stream.backpressured,
    });
    stream.onEnd(() => client.end(new Error('The client disconnected')));
    const onMessage = (text: string): void => serveMessage(endpoint, text, { client, stream, gap });
    // Missed messages can't be read again: the client has to reconnect.
    stream.onEnd(await endpoint.store.subscribe(key, onMessage, () => stream.end()));
    stream.write(event(`${messagePath}?sessionId=${id}`, { name: 'endpoint' }));
  } catch (error) {
    stream.end();
    throw error;
  }
}

/** A connected client and its stream. */
interface SseClient {
  client: ClientConnection;
  stream: Stream;
  gap: ProgressGap;
}

/** Serves a message that was posted for this stream, here or on another instance. */
function serveMessage(endpoint: Endpoint, text: string, connected: SseClient): void {
  const reply = receive(endpoint.server, text, connected.client.peer);
  const delayed =
    reply instanceof Promise ? reply.then((result) => delayReply(result, connected)) : delayReply(reply, connected);
  if (delayed instanceof Promise) runInBackground(endpoint.server, () => answerLater(endpoint, delayed, connected));
  else answer(endpoint, delayed, connected);
}

/** Delays an answer that would follow the last progress of its request too closely. */
function delayReply(reply: Responses, { gap }: SseClient): Awaitable<Responses> {
  let send: (reply: Responses) => void = () => {};
  return gap.delay(reply, (delayed) => send(delayed)) ? new Promise((resolve) => (send = resolve)) : reply;
}

/** Sends an asynchronous answer. Graceful shutdown waits for it. */
async function answerLater(endpoint: Endpoint, reply: Promise<Responses>, connected: SseClient): Promise<void> {
  const done = trackRunning(endpoint, connected.client.peer);
  endpoint.inFlight.count += 1;
  answer(endpoint, await reply, connected);
  endpoint.inFlight.end();
  done();
}

function answer({ server }: Endpoint, reply: Responses, { client, stream }: SseClient): void {
  if (reply === undefined) return;
  stream.send({ data: encodeResponses(server, reply), name: 'message', weight: 'needed' });
  client.answered(reply);
  client.peer.session?.sendRejections();
}

/** Serves POST: publishes a message to the instance that has the stream of the session, where it is answered. */
export async function postSse(context: HttpContext): Promise<void> {
  const { endpoint, http, responder, headers, auth, usage } = context;
  const problem = contentProblem(http);
  if (problem !== undefined) return reject(context, problem);
  const key = keyOf(http.query.get('sessionId') ?? '');
  const record = await endpoint.store.read(key, lifeOf(endpoint));
  if (record === undefined || record.principal !== auth?.principal) {
    return reject(context, { status: 404, message: 'Session not found: open the stream first' });
  }
  const body = await http.body(endpoint.maxBody, usage);
  if ('problem' in body) return reject(context, bodyProblem(body, endpoint.maxBody));
  const parsed = parse(body.text);
  if (parsed.kind === 'invalid') {
    logRejection(endpoint.server, parsed.answer);
    return sendJson(context, 400, encode(parsed.answer));
  }
  context.message = parsed;
  const isRequest = parsed.kind === 'request' || parsed.kind === 'batch';
  const shortage = isRequest ? endpoint.memory.shortage(context, endpoint.server.methods) : undefined;
  if (shortage !== undefined) {
    usage.countRejection('busy', 'server');
    return reject(context, unavailable(`Server busy: ${shortage}`, 1));
  }
  await endpoint.store.publish(key, body.text);
  responder.send(202, [...headers, 'Content-Type', 'text/plain'], 'Accepted');
}

function keyOf(id: string): string {
  return `sse/${id}`;
}

/** The life of such a session: it expires unless its stream renews it. */
function lifeOf({ streams: { keepAliveMs } }: Endpoint): Life {
  const ttlMs = MISSED_SIGNS * keepAliveMs;
  return { ttlMs, kind: 'sse', limit: MAX_SESSIONS, busyMs: ttlMs };
}
