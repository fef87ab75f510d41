import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { encode, parse } from '../../../jsonrpc/message.ts';
import { type Conversation, openConversation } from '../../../server/conversation.ts';
import { logRejection } from '../../../server/observe/log-rejection.ts';
import { encodeResponses, type Responses } from '../../../server/call/encode-responses.ts';
import { receive } from '../../../server/receive.ts';
import { nextTurn } from '../../../runtime/timers.ts';
import type { Life } from '../../../stores/store.ts';
import { bodyProblem, contentProblem } from '../../http/server/gate/body.ts';
import { event } from '../../http/server/streams/event.ts';
import { runInBackground } from '../../../server/run-in-background.ts';
import { acquire } from '../../../server/quotas/quota.ts';
import { type Endpoint, originOf, type Visit } from '../../http/server/endpoint/endpoint.ts';
import { entranceOf } from '../../http/server/endpoint/entrance.ts';
import { endAtExpiry } from '../../http/server/endpoint/expiry.ts';
import { later, refuse, refuseWith, tooMuch } from '../../http/server/answer/refusal.ts';
import { pressureOf } from '../../http/server/endpoint/pressure.ts';
import { trackRunning } from '../../http/server/endpoint/track-running.ts';
import { createProgressGap, type ProgressGap } from '../../progress-gap.ts';
import { type Stream, weightOf } from '../../http/server/streams/streams.ts';
import { limits } from '../../../limits.ts';

/** Where the two halves of the transport of the first revision live. */
export interface SsePaths {
  /** The stream from the server. Default: `/sse`. */
  stream?: string;
  /** Where messages are posted. Default: `/messages`. */
  messages?: string;
}

/** So many sessions of this kind are kept at a time. */
const MAX_SESSIONS = limits.http.sseSessions.value;
/** A session is forgotten when its stream has missed so many signs of life in a row. */
const MISSED_SIGNS = 4;

/** Opens the stream of a client. The session lasts as long as the stream. */
export async function openSse(endpoint: Endpoint, visit: Visit, messagePath: string): Promise<void> {
  const { usage, accepts } = visit;
  if (!accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow text/event-stream' });
  }
  return acquire(usage, 'streams', (lacking) => {
    const full = lacking ?? usage.full('streams');
    return full === undefined ? openSession(endpoint, visit, messagePath) : refuse(visit, tooMuch(full, 'streams'));
  });
}

async function openSession(endpoint: Endpoint, visit: Visit, messagePath: string): Promise<void> {
  const { auth, usage } = visit;
  const id = crypto.randomUUID();
  const key = keyOf(id);
  const life = lifeOf(endpoint);
  // Before the stream: where it can't be kept, the client gets an answer that says so.
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
    return refuse(visit, tooMuch(fullNow, 'streams'));
  }
  const stream = endpoint.streams.open(visit, () =>
    runInBackground(endpoint.server, () => endpoint.store.read(key, life)),
  );
  stream.onEnd(forget);
  stream.onEnd(endAtExpiry(endpoint, visit, () => stream.end()));
  try {
    const gap = createProgressGap();
    const conversation = openConversation({
      send: (message, request) => {
        stream.send({ data: encode(message), name: 'message', weight: weightOf(message, endpoint.server.methods) });
        if (message.method !== 'notifications/progress' || request === undefined) return;
        gap.note(request);
        // The response is written when the handler lets the process go on.
        void nextTurn().then(() => gap.flush(() => {}));
      },
      origin: originOf(visit, id, 'sse'),
      auth,
      // What a message gets is told on the stream, whose status was told long ago.
      entrance: entranceOf(endpoint, visit, () => true),
      usage,
      crowded: () => stream.crowded,
    });
    stream.onEnd(() => conversation.end(new Error('The client went away')));
    const hear = (text: string): void => take(endpoint, text, { conversation, stream, gap });
    // Messages may be lost that nobody can look up: the client begins again.
    stream.onEnd(await endpoint.store.subscribe(key, hear, () => stream.end()));
    stream.write(event(`${messagePath}?sessionId=${id}`, { name: 'endpoint' }));
  } catch (error) {
    stream.end();
    throw error;
  }
}

/** A client and the way to it. */
interface Client {
  conversation: Conversation;
  stream: Stream;
  gap: ProgressGap;
}

/** Serves a message that was posted for this stream, here or on another instance. */
function take(endpoint: Endpoint, text: string, client: Client): void {
  const reply = receive(endpoint.server, text, client.conversation.exchange);
  const late =
    reply instanceof Promise ? reply.then((there) => behindProgress(there, client)) : behindProgress(reply, client);
  if (late instanceof Promise) runInBackground(endpoint.server, () => answerLater(endpoint, late, client));
  else answer(endpoint, late, client);
}

/** An answer, as soon as it is far enough behind the last progress of its request. */
function behindProgress(reply: Responses, { gap }: Client): Awaitable<Responses> {
  let go: (reply: Responses) => void = () => {};
  return gap.delay(reply, (held) => go(held)) ? new Promise((resolve) => (go = resolve)) : reply;
}

/** Answers what takes a while. A server that closes waits for it. */
async function answerLater(endpoint: Endpoint, reply: Promise<Responses>, client: Client): Promise<void> {
  const done = trackRunning(endpoint, client.conversation.exchange);
  endpoint.work.begin();
  answer(endpoint, await reply, client);
  endpoint.work.end();
  done();
}

function answer({ server }: Endpoint, reply: Responses, { conversation, stream }: Client): void {
  if (reply === undefined) return;
  stream.send({ data: encodeResponses(server, reply), name: 'message', weight: 'needed' });
  conversation.answered(reply);
  conversation.exchange.session?.tellRefusals();
}

/** Takes a message for a session whose stream may be open on another instance; the answer goes there. */
export async function postSse(endpoint: Endpoint, visit: Visit): Promise<void> {
  const { http, responder, headers, auth } = visit;
  const problem = contentProblem(http);
  if (problem !== undefined) return refuse(visit, problem);
  const key = keyOf(http.query.get('sessionId') ?? '');
  const record = await endpoint.store.read(key, lifeOf(endpoint));
  if (record === undefined || record.principal !== auth?.principal) {
    return refuse(visit, { status: 404, message: 'Session not found: open the stream first' });
  }
  const body = await http.body(endpoint.maxBody, visit.usage);
  if ('problem' in body) return refuse(visit, bodyProblem(body, endpoint.maxBody));
  const parsed = parse(body.text);
  if (parsed.kind === 'invalid') {
    logRejection(endpoint.server, parsed.answer);
    return refuseWith(visit, 400, parsed.answer);
  }
  const pressure =
    parsed.kind === 'request' || parsed.kind === 'batch'
      ? pressureOf(endpoint.memory, visit, endpoint.server.methods)
      : undefined;
  if (pressure !== undefined) {
    visit.usage.refused('busy', 'server');
    return refuse(visit, later(`Server busy: ${pressure}`, 1));
  }
  await endpoint.store.publish(key, body.text);
  responder.send(202, [...headers, 'Content-Type', 'text/plain'], 'Accepted');
}

function keyOf(id: string): string {
  return `sse/${id}`;
}

/** Such a session lives only as long as its stream keeps saying so. */
function lifeOf({ streams: { keepAliveMs } }: Endpoint): Life {
  const ttlMs = MISSED_SIGNS * keepAliveMs;
  return { ttlMs, kind: 'sse', limit: MAX_SESSIONS, busyMs: ttlMs };
}
