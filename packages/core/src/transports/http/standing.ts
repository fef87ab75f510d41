import { encode } from '../../jsonrpc/message.ts';
import { attach } from './attach.ts';
import { EventLog, type Place, streamId } from './event-log.ts';
import { aside, type Hub, type Visit } from './hub.ts';
import { gone } from './membership.ts';
import { refuse } from './refusal.ts';
import { defaultRetryMs } from './reply.ts';
import { weightOf } from './streams.ts';

/** How long what a session should hear is still kept after its connection broke, for when the client comes back. */
const lingerMs = 60_000;

/** A session has one such stream, so its name needs no id. */
const slot = 'standing';

/**
 * Opens the stream of a session for what belongs to no request: changes, and the server's log. With a place it goes on
 * from there.
 */
export async function openStanding(hub: Hub, visit: Visit, id: string, place?: Place): Promise<void> {
  const { live, release } = await hub.sessions.hold(id);
  const log = new EventLog(hub, id, place?.stream ?? streamId('standing'));
  const principal = visit.auth?.principal;
  const loaded = await hub.sessions.load(id, principal, (message) =>
    log.add({ data: encode(message), weight: weightOf(message) }),
  );
  if (loaded === undefined) {
    release();
    return refuse(visit, gone);
  }
  const { session } = loaded;
  const by = crypto.randomUUID();
  let stopped = false;
  let deadline: NodeJS.Timeout | undefined;

  function stop(): void {
    stopped = true;
    clearTimeout(deadline);
    hub.lingering.delete(stop);
    session.end();
    ignore();
    release();
  }

  async function refresh(): Promise<void> {
    const now = (await hub.sessions.load(id, principal))?.session;
    if (now === undefined || stopped) return;
    session.logLevel = now.logLevel;
    session.subscriptions.clear();
    for (const uri of now.subscriptions) session.subscriptions.add(uri);
    if (now.initialized) session.join(hub.server.feed);
  }

  const ignore = live.onNews((news) => {
    if (news.kind === 'ended' || (news.kind === 'taken-up' && news.stream === slot && news.by !== by)) stop();
    if (news.kind === 'changed') aside(hub, refresh);
    if (news.kind === 'notify') session.notify(news.notification);
  });

  function begin(): void {
    if (place === undefined && session.revision?.primesStreams) log.add({ retry: defaultRetryMs });
    if (session.initialized) session.join(hub.server.feed);
  }

  try {
    const from = place ?? { session: id, stream: log.stream, position: 0 };
    const connection = await attach(hub, visit, { live, place: from, slot, by, begin });
    connection.onEnd(() => {
      if (stopped) return;
      if (!log.any) return stop();
      deadline = setTimeout(stop, lingerMs).unref();
      hub.lingering.add(stop);
    });
  } catch (error) {
    stop();
    throw error;
  }
}
