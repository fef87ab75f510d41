import { encode } from '../../../../jsonrpc/message.ts';
import { attach } from './attach.ts';
import { EventLog, type StreamPosition, streamId } from '../streams/event-log.ts';
import { inBackground } from '../../../../server/in-background.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { gone } from '../sessions/session-of-message.ts';
import { refuse } from '../answer/refusal.ts';
import { defaultRetryMs } from '../streams/event.ts';
import { weightOf } from '../streams/streams.ts';
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
  const { live, release } = await endpoint.sessions.hold(id);
  const log = new EventLog(endpoint, id, place?.stream ?? streamId('standing'));
  const principal = visit.auth?.principal;
  const loaded = await endpoint.sessions.load(id, principal, (message) =>
    log.add({ data: encode(message), weight: weightOf(message, endpoint.server.methods) }),
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
    endpoint.lingering.delete(stop);
    session.end();
    ignore();
    release();
  }

  async function refresh(): Promise<void> {
    const now = (await endpoint.sessions.load(id, principal))?.session;
    if (now === undefined || stopped) return;
    session.logLevel = now.logLevel;
    session.subscriptions.clear();
    for (const uri of now.subscriptions) session.subscriptions.add(uri);
    if (now.initialized) session.join(endpoint.server.feed);
  }

  const ignore = live.onNews((news) => {
    if (news.kind === 'ended' || (news.kind === 'taken-up' && news.stream === slot && news.by !== by)) stop();
    if (news.kind === 'changed') inBackground(endpoint.server, refresh);
    if (news.kind === 'notify') session.notify(news.notification);
  });

  function begin(): void {
    if (place === undefined && session.revision?.primesStreams) log.add({ retry: defaultRetryMs });
    if (session.initialized) session.join(endpoint.server.feed);
  }

  try {
    const from = place ?? { session: id, stream: log.stream, position: 0 };
    const connection = await attach(endpoint, visit, { live, place: from, slot, by, begin });
    connection.onEnd(() => {
      if (stopped) return;
      if (!log.any) return stop();
      deadline = setTimeout(stop, lingerMs).unref();
      endpoint.lingering.add(stop);
    });
  } catch (error) {
    stop();
    throw error;
  }
}
