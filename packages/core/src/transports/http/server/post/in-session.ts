import type { ReplyExchange } from './exchange.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';

/** Waits for a request of a session. Meanwhile other instances can cancel it and take up its stream. */
export async function servedInSession(
  endpoint: Endpoint,
  id: string,
  exchange: ReplyExchange,
  serving: Promise<void>,
): Promise<void> {
  let over = false;
  let leave: (() => void) | undefined;
  runInBackground(endpoint.server, async () => {
    const { live, release } = await endpoint.sessions.hold(id);
    const letGo = live.follow(exchange);
    const ignore = live.onNews((news) => {
      if (news.kind === 'taken-up' && news.stream === exchange.reply.streamId) exchange.reply.detach();
    });
    leave = () => {
      letGo();
      ignore();
      release();
    };
    if (over) leave();
  });
  try {
    await serving;
  } finally {
    over = true;
    leave?.();
  }
}
