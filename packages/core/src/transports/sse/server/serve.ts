import { encode, type Message, parse } from '../../../jsonrpc/message.ts';
import { Pending } from '../../../jsonrpc/pending.ts';
import type { MethodTable } from '../../../protocol/methods.ts';
import type { Exchange } from '../../../server/exchange.ts';
import { encodeResponses, receive, type Responses } from '../../../server/receive.ts';
import { Session } from '../../../server/session.ts';
import type { Life } from '../../../stores/store.ts';
import { bodyProblem, contentProblem } from '../../http/server/gate/body.ts';
import { event } from '../../http/server/streams/event.ts';
import { inBackground } from '../../../server/in-background.ts';
import type { Endpoint, Visit } from '../../http/server/endpoint/endpoint.ts';
import { later, refuse, refuseWith } from '../../http/server/answer/refusal.ts';
import { trackRunning } from '../../http/server/endpoint/track-running.ts';
import { type Stream, weightOf } from '../../http/server/streams/streams.ts';

/** Where the two halves of the transport of the first revision live. */
export interface SsePaths {
  /** The stream from the server. Default: `/sse`. */
  stream?: string;
  /** Where messages are posted. Default: `/messages`. */
  messages?: string;
}

/** Opens the stream of a client. The session lasts as long as the stream. */
export async function openSse(endpoint: Endpoint, visit: Visit, messagePath: string): Promise<void> {
  const { responder, headers, auth, accepts } = visit;
  if (!accepts.events) {
    return refuse(visit, { status: 406, message: 'Accept must allow text/event-stream' });
  }
  if (endpoint.streams.full) return refuse(visit, later('Too many open streams', 5));
  const key = keyOf(crypto.randomUUID());
  const life = lifeOf(endpoint);
  const stream = endpoint.streams.open(responder, headers, () =>
    inBackground(endpoint.server, () => endpoint.store.read(key, life)),
  );
  try {
    const { exchange, end } = converse(stream, visit, endpoint.server.methods);
    stream.onEnd(end);
    await endpoint.store.create(key, auth === undefined ? {} : { principal: auth.principal }, life);
    stream.onEnd(() => inBackground(endpoint.server, () => endpoint.store.remove(key)));
    stream.onEnd(await endpoint.store.subscribe(key, (text) => take(endpoint, text, { exchange, stream })));
    stream.write(event(`${messagePath}?sessionId=${key.slice(prefix.length)}`, { name: 'endpoint' }));
  } catch (error) {
    stream.end();
    throw error;
  }
}

/** How the client of a stream is reached, and what to do when it is gone. */
function converse(stream: Stream, { auth }: Visit, methods: MethodTable): { exchange: Exchange; end: () => void } {
  const pending = new Pending();
  const send = (message: Message): void =>
    stream.send({ data: encode(message), name: 'message', weight: weightOf(message, methods) });
  const session = new Session(send);
  const exchange: Exchange = {
    ...(auth !== undefined && { auth }),
    session,
    running: new Map(),
    send,
    ask: (method, params, signal) => pending.ask(method, params, send, signal),
    settle: (response) => pending.settle(response),
    get crowded() {
      return stream.crowded;
    },
  };
  const end = (): void => {
    pending.end(new Error('The client went away'));
    for (const call of exchange.running.values()) call.cancel('The client went away');
    session.end();
  };
  return { exchange, end };
}

function take(endpoint: Endpoint, text: string, { exchange, stream }: { exchange: Exchange; stream: Stream }): void {
  const answer = (reply: Responses): void => {
    if (reply === undefined) return;
    stream.send({ data: encodeResponses(endpoint.server, reply), name: 'message', weight: 'needed' });
  };
  const reply = receive(endpoint.server, text, exchange);
  if (reply instanceof Promise) inBackground(endpoint.server, () => answerLater(endpoint, reply, exchange, answer));
  else answer(reply);
}

async function answerLater(
  endpoint: Endpoint,
  reply: Promise<Responses>,
  exchange: Exchange,
  answer: (reply: Responses) => void,
): Promise<void> {
  const done = trackRunning(endpoint, exchange);
  endpoint.work.begin();
  answer(await reply);
  endpoint.work.end();
  done();
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
  const body = await http.body(endpoint.maxBody);
  if ('problem' in body) return refuse(visit, bodyProblem(body, endpoint.maxBody));
  const parsed = parse(body.text);
  if (parsed.kind === 'invalid') return refuseWith(visit, 400, parsed.answer);
  await endpoint.store.publish(key, body.text);
  responder.send(202, [...headers, 'Content-Type', 'text/plain'], 'Accepted');
}

const prefix = 'sse/';

function keyOf(id: string): string {
  return prefix + id;
}

/** Such a session lives only as long as its stream keeps saying so. */
function lifeOf({ streams: { keepAliveMs } }: Endpoint): Life {
  return { ttlMs: 4 * keepAliveMs, kind: 'sse', limit: 10_000, busyMs: 4 * keepAliveMs };
}
