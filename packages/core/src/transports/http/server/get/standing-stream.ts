import { encode, type Message } from '../../../../jsonrpc/message.ts';
import { attach } from './attach.ts';
import { Handover } from './handover.ts';
import { EventLog, type StreamPosition, streamId } from '../streams/event-log.ts';
import { inBackground } from '../../../../server/in-background.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { offeredLists } from '../endpoint/offered-lists.ts';
import type { Session } from '../../../../server/session.ts';
import { tellOfAll } from '../sessions/relay-changes.ts';
import type { LoadedSession } from '../sessions/sessions.ts';
import { gone } from '../sessions/session-of-message.ts';
import { refuse } from '../answer/refusal.ts';
import { retryMs } from '../streams/event.ts';
import { MissedNews } from './missed-news.ts';
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
  const log = new EventLog(endpoint, id, place?.stream ?? streamId('standing'));
  const principal = visit.auth?.principal;
  const loaded = await sessions.load(id, principal, keep);
  if (loaded === undefined) {
    release();
    return refuse(visit, gone);
  }
  const { session, watched } = loaded;
  const by = crypto.randomUUID();
  const handover = new Handover({ isNeeded: place !== undefined });
  let stopped = false;
  let deadline: NodeJS.Timeout | undefined;
  let connection: Stream | undefined;
  let missed: MissedNews | undefined;

  /** Keeps a message for the client: all of them while it reads, later only what it must know. */
  function keep(message: Message): void {
    const weight = weightOf(message, server.methods);
    if (weight === 'droppable' && (missed !== undefined || connection?.crowded)) return;
    const data = encode(message);
    const kept = missed?.keeps(data) ?? true;
    if (kept === 'full') return stop();
    if (kept) log.add({ data, weight });
  }

  function stop(): void {
    stopped = true;
    handover.stop();
    clearTimeout(deadline);
    endpoint.lingering.delete(stop);
    session.end();
    ignore();
    release();
  }

  async function refresh(): Promise<void> {
    const now = (await sessions.load(id, principal))?.session;
    if (now === undefined || stopped) return;
    session.logLevel = now.logLevel;
    if (now.initialized) session.join(server.feed);
  }

  const ignore = live.onNews((news) => {
    if (news.kind === 'ended') stop();
    if (news.kind === 'taken-up' && news.stream === slot && news.by !== by) {
      stop();
      if (handover.isDone) inBackground(server, () => handOver(endpoint, id, log, news.by));
    }
    if (news.kind === 'handed-over' && news.to === by) handover.done();
    if (news.kind === 'changed') inBackground(server, refresh);
    if (news.kind === 'watches') watched.change(news);
    // Somebody else may have taken it up meanwhile; whoever does later tells the client to look again.
    if (news.kind === 'missed' && missed !== undefined) stop();
    else if (news.kind === 'missed') inBackground(server, () => refresh().then(() => watchAgain(endpoint, id, loaded)));
    if (news.kind === 'notify') session.notify(news.notification);
  });

  const begin = (): void => {
    if (place === undefined && session.revision?.primesStreams) log.add({ retry: retryMs() });
    if (session.initialized) session.join(server.feed);
    if (place === undefined) tellEarly(endpoint, id, loaded);
  };

  try {
    watched.base = await sessions.watchedBy(id);
    const from = place ?? { session: id, stream: log.stream, position: 0 };
    connection = await attach(endpoint, visit, { live, place: from, slot, by, begin });
    handover.orElse(() => tellAll(endpoint, session));
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
  inBackground(server, () => sessions.save(id, loaded));
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
