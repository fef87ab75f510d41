import { encode, type Message } from '../../../../jsonrpc/message.ts';
import { attach } from './attach.ts';
import { EventLog, type StreamPosition, streamId } from '../streams/event-log.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { offeredLists } from '../endpoint/offered-lists.ts';
import type { Session } from '../../../../server/session.ts';
import { tellOfAll } from '../sessions/relay-changes.ts';
import type { LoadedSession } from '../sessions/sessions.ts';
import { gone } from '../sessions/session-of-message.ts';
import { refuse } from '../answer/refusal.ts';
import { retryMs } from '../streams/event.ts';
import { MissedNews } from './missed-news.ts';
import { WholeNews } from './whole-news.ts';
import { type Stream, weightOf } from '../streams/streams.ts';
import { letEnd } from '../../../../runtime/timers.ts';
import { limits } from '../../../../limits.ts';

/** How long what a session should hear is still kept after its connection broke, for when the client comes back. */
const lingerMs = limits.http.lingerMs.value;

/** A session has one such stream, so its name needs no id. */
const slot = 'standing';

/**
 * Opens the stream of a session for what belongs to no request: changes, and the server's log. With a place it goes on
 * from there.
 */
export async function openStanding(
  endpoint: Endpoint,
  visit: Visit,
  id: string,
  place?: StreamPosition,
): Promise<void> {
  const { server, sessions } = endpoint;
  const { live, release } = await sessions.hold(id);
  const log = new EventLog(endpoint, id, place?.stream ?? streamId('standing'), () => whole.lose());
  const loaded = await sessions.load(id, visit.auth?.principal, keep);
  if (loaded === undefined) {
    release();
    return refuse(visit, gone);
  }
  const { session, watched } = loaded;
  const by = crypto.randomUUID();
  const whole = wholeNews(endpoint, id, session, { isResumed: place !== undefined });
  let stopped = false;
  let deadline: NodeJS.Timeout | undefined;
  let connection: Stream | undefined;
  let missed: MissedNews | undefined;

  /** Keeps a message for the client: all of them while it reads, later only what it must know. */
  function keep(message: Message): void {
    const weight = weightOf(message, server.methods);
    if (whole.areLost || (weight === 'droppable' && (missed !== undefined || connection?.crowded))) return;
    const data = encode(message);
    const kept = missed?.keeps(data) ?? true;
    if (kept === 'full') return stop();
    if (kept) log.add({ data, weight });
  }

  function stop(): void {
    stopped = true;
    whole.stop();
    clearTimeout(deadline);
    endpoint.lingering.delete(stop);
    session.end();
    ignore();
    release();
  }

  const refresh = (): Promise<void> => readAgain(endpoint, id, session, () => stopped);

  const ignore = live.onNews((news) => {
    if (news.kind === 'ended') stop();
    if (news.kind === 'taken-up' && news.stream === slot && news.by !== by) {
      stop();
      if (whole.areWhole) runInBackground(server, () => handOver(endpoint, id, log, news.by));
    }
    if (news.kind === 'handed-over' && news.to === by) whole.handedOver();
    if (news.kind === 'changed') runInBackground(server, refresh);
    if (news.kind === 'watches') watched.change(news);
    if (news.kind === 'missed') {
      // Somebody else may have taken it up meanwhile; whoever does later tells the client to look again.
      if (missed !== undefined) stop();
      else runInBackground(server, () => refresh().then(() => watchAgain(endpoint, id, loaded)));
    }
    if (news.kind === 'notify') session.notify(news.notification);
  }, keep);

  try {
    watched.base = await sessions.watchedBy(id);
    const from = place ?? { session: id, stream: log.stream, position: 0 };
    const begin = (): void => beginNews(endpoint, log, loaded, from);
    connection = await attach(endpoint, visit, { live, place: from, slot, by, begin });
    whole.begun();
    connection.onEnd(() => {
      if (stopped) return;
      if (!log.any) return stop();
      missed = new MissedNews();
      deadline = letEnd(setTimeout(stop, lingerMs));
      endpoint.lingering.add(stop);
    });
  } catch (error) {
    stop();
    throw error;
  }
}

/** Sees to it that the client of a session misses no news. */
function wholeNews(endpoint: Endpoint, id: string, session: Session, { isResumed }: { isResumed: boolean }): WholeNews {
  const attempt = async (): Promise<unknown> => endpoint.sessions.watchedBy(id);
  return new WholeNews({ isResumed, attempt, tellAll: () => tellAll(endpoint, session) });
}

/** Begins to tell a client of what happens, and a stream that is new of what was kept for it. */
function beginNews(
  endpoint: Endpoint,
  log: EventLog,
  loaded: LoadedSession,
  { session: id, position }: StreamPosition,
): void {
  const { session } = loaded;
  const isNew = position === 0;
  if (isNew && session.revision?.primesStreams) log.add({ retry: retryMs() });
  if (session.initialized) session.join(endpoint.server.feed);
  if (isNew) tellEarly(endpoint, id, loaded);
}

/** Lets the one who has a stream now know that nothing is missing in its log. */
async function handOver({ sessions }: Endpoint, id: string, log: EventLog, to: string): Promise<void> {
  await log.settled();
  await sessions.tell(id, { kind: 'handed-over', to });
}

/** Tells a client that anything may have changed. */
function tellAll({ server }: Endpoint, session: Session): void {
  if (!session.initialized) return;
  for (const kind of offeredLists(server)) session.tell({ kind });
  tellOfAll(session);
}

/** Tells what was logged during the handshake, and notes that it is told. */
function tellEarly({ server, sessions }: Endpoint, id: string, loaded: LoadedSession): void {
  if (loaded.session.early.length === 0) return;
  loaded.session.tellEarly();
  runInBackground(server, () => sessions.save(id, loaded));
}

/** Takes over what was changed in a session elsewhere. */
async function readAgain(
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

/** Reads anew what a session watches, and tells it of what it did not know of; the rest was told already. */
async function watchAgain({ sessions }: Endpoint, id: string, { session, watched }: LoadedSession): Promise<void> {
  const now = await sessions.watchedBy(id);
  const before = new Set(watched.uris());
  watched.clear();
  watched.base = now;
  tellOfAll(
    session,
    [...now].filter((uri) => !before.has(uri)),
  );
}
