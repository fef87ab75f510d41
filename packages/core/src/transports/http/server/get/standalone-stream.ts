import { encode, type Message } from '../../../../jsonrpc/message.ts';
import { attach, type StreamClient } from './attach.ts';
import { EventLog, type StreamPosition, streamId } from '../streams/event-log.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { offeredLists } from '../endpoint/offered-lists.ts';
import type { Session } from '../../../../server/session.ts';
import { notifyOfResources } from '../sessions/relay-changes.ts';
import type { LoadedSession } from '../sessions/sessions.ts';
import { sessionNotFound } from '../sessions/session-of-message.ts';
import { reject } from '../answer/reject.ts';
import { retryMs } from '../streams/event.ts';
import { GapDetector } from './gap-detector.ts';
import { type Stream, deliveryPolicyOf } from '../streams/streams.ts';
import { unref } from '../../../../runtime/timers.ts';

/** How long events are still logged after the connection broke, in case the client resumes. */
const lingerMs = 60_000;

/** A session has one such stream, so its slot needs no id. */
const slot = 'standalone';

/**
 * Opens the standalone stream of a session, for messages that belong to no request: changes, and the server's log. With
 * a position it resumes from there.
 */
export async function openStandaloneStream(
  endpoint: Endpoint,
  client: StreamClient,
  id: string,
  place?: StreamPosition,
): Promise<void> {
  const { server, sessions } = endpoint;
  const { live, release } = await sessions.acquire(id);
  const log = new EventLog(endpoint, id, place?.stream ?? streamId('standalone'), () => gaps.reportGap());
  const loaded = await sessions.load(id, client.auth?.principal, send);
  if (loaded === undefined) {
    release();
    return reject(client, sessionNotFound);
  }
  const { session, subscriptions } = loaded;
  const by = crypto.randomUUID();
  const gaps = gapDetector(endpoint, id, session, { isResumed: place !== undefined });
  let stopped = false;
  let deadline: NodeJS.Timeout | undefined;
  let connection: Stream | undefined;
  let missed: MissedEvents | undefined;

  /** Logs a message for the client: all of them while it is connected, later only those that it needs. */
  function send(message: Message): void {
    const weight = deliveryPolicyOf(message, server.methods);
    if (gaps.isLossy || (weight === 'droppable' && (missed !== undefined || connection?.backpressured))) return;
    const data = encode(message);
    const isNew = missed?.add(data) ?? true;
    if (isNew === 'full') return stop();
    if (isNew) log.add({ data, weight });
  }

  function stop(): void {
    stopped = true;
    gaps.stop();
    clearTimeout(deadline);
    endpoint.resumable.delete(stop);
    session.end();
    removeListener();
    release();
  }

  const refresh = (): Promise<void> => refreshSession(endpoint, id, session, () => stopped);

  const removeListener = live.onEvent((event) => {
    if (event.kind === 'ended') stop();
    if (event.kind === 'taken-up' && event.stream === slot && event.by !== by) {
      stop();
      if (gaps.isComplete) runInBackground(server, () => publishHandover(endpoint, id, log, event.by));
    }
    if (event.kind === 'handed-over' && event.to === by) gaps.handedOver();
    if (event.kind === 'changed') runInBackground(server, refresh);
    if (event.kind === 'watches') subscriptions.change(event);
    if (event.kind === 'missed') {
      // Another connection may have taken it up; the next one notifies the client that anything may have changed.
      if (missed !== undefined) stop();
      else runInBackground(server, () => refresh().then(() => refreshSubscriptions(endpoint, id, loaded)));
    }
    if (event.kind === 'notify') session.notify(event.notification);
  }, send);

  try {
    subscriptions.base = await sessions.subscribedUris(id);
    const from = place ?? { session: id, stream: log.stream, position: 0 };
    const begin = (): void => startEvents(endpoint, log, loaded, from);
    connection = await attach(endpoint, client, { live, place: from, slot, by, begin });
    gaps.open();
    connection.onEnd(() => {
      if (stopped) return;
      if (!log.any) return stop();
      missed = new MissedEvents();
      deadline = unref(setTimeout(stop, lingerMs));
      endpoint.resumable.add(stop);
    });
  } catch (error) {
    stop();
    throw error;
  }
}

/** Detects gaps in the events of a session. */
function gapDetector(
  endpoint: Endpoint,
  id: string,
  session: Session,
  { isResumed }: { isResumed: boolean },
): GapDetector {
  const attempt = async (): Promise<unknown> => endpoint.sessions.subscribedUris(id);
  return new GapDetector({ isResumed, attempt, notifyAll: () => notifyOfEverything(endpoint, session) });
}

/** Subscribes the session to changes, and sends a new stream what was logged during the handshake. */
function startEvents(
  endpoint: Endpoint,
  log: EventLog,
  loaded: LoadedSession,
  { session: id, position }: StreamPosition,
): void {
  const { session } = loaded;
  const isNew = position === 0;
  if (isNew && session.revision?.primesStreams) log.add({ retry: retryMs() });
  if (session.initialized) session.join(endpoint.server.feed);
  if (isNew) sendEarly(endpoint, id, loaded);
}

/** Publishes that the old connection of a stream has logged all its events, so that the new one can start. */
async function publishHandover({ sessions }: Endpoint, id: string, log: EventLog, to: string): Promise<void> {
  await log.settled();
  await sessions.publish(id, { kind: 'handed-over', to });
}

/** Notifies a client that anything may have changed. */
function notifyOfEverything({ server }: Endpoint, session: Session): void {
  if (!session.initialized) return;
  for (const kind of offeredLists(server)) session.onChange({ kind });
  notifyOfResources(session);
}

/** Sends what was logged during the handshake, and stores that it was sent. */
function sendEarly({ server, sessions }: Endpoint, id: string, loaded: LoadedSession): void {
  if (loaded.session.early === undefined) return;
  loaded.session.sendEarly();
  runInBackground(server, () => sessions.save(id, loaded));
}

/** Applies changes that another instance made to the session. */
async function refreshSession(
  { server, sessions }: Endpoint,
  id: string,
  session: Session,
  isOver: () => boolean,
): Promise<void> {
  const now = (await sessions.load(id, session.principal))?.session;
  if (now === undefined || isOver()) return;
  session.logLevel = now.logLevel;
  if (now.initialized) session.join(server.feed);
}

/** Reads the subscriptions again, and reports those it did not know of as changed. */
async function refreshSubscriptions(
  { sessions }: Endpoint,
  id: string,
  { session, subscriptions }: LoadedSession,
): Promise<void> {
  const now = await sessions.subscribedUris(id);
  const before = new Set(subscriptions.uris());
  subscriptions.clear();
  subscriptions.base = now;
  notifyOfResources(
    session,
    [...now].filter((uri) => !before.has(uri)),
  );
}

/** The number of events that are logged for a disconnected client. */
const maxMissedCount = 1000;
/** Their total length in characters. */
const maxMissedLength = 256 * 1024;

/** The events that are logged for a disconnected client: each once, up to a limit. */
class MissedEvents {
  readonly #texts = new Set<string>();
  #length = 0;

  /** True for an event to log; `full` if the client missed too much. */
  add(text: string): boolean | 'full' {
    if (this.#texts.has(text)) return false;
    this.#texts.add(text);
    this.#length += text.length;
    return this.#texts.size > maxMissedCount || this.#length > maxMissedLength ? 'full' : true;
  }
}
