import type { Classified, Response } from '../../jsonrpc/message.ts';
import { receiveBatch } from '../../server/receive.ts';
import { handshakeExchange } from './exchange.ts';
import type { Hub, Visit } from './hub.ts';
import { isRefused, membership } from './membership.ts';
import { cancel } from './post-notification.ts';
import { refuse } from './refusal.ts';
import { Reply } from './reply.ts';
import { deliver } from './serving.ts';
import { within } from './within.ts';

/** Serves several messages of a handshake client together, where its revision has batches. */
export async function postBatch(hub: Hub, visit: Visit, items: Classified[]): Promise<void> {
  const member = await membership(hub, visit, { changes: true });
  if (isRefused(member)) return refuse(visit, member);
  const { id, save } = member;
  const reply = new Reply(hub, visit, { session: id, statusOf });
  const exchange = handshakeExchange(hub, visit, member, reply);
  const answers = receiveBatch(hub.server, items, exchange);
  if (id === undefined) return deliver(hub, answers, exchange, reply);
  const kept = (async () => {
    for (const item of items) await pass(hub, id, item);
    const done = await answers;
    await save?.();
    return done;
  })();
  return within(hub, id, exchange, deliver(hub, kept, exchange, reply) as Promise<void>);
}

/** What concerns other requests of the session is told wherever they run. */
async function pass(hub: Hub, id: string, item: Classified): Promise<void> {
  if (item.kind === 'response') await hub.sessions.tell(id, { kind: 'answer', response: item.message });
  if (item.kind === 'notification') await cancel(hub, id, item.message);
}

/** A batch that is refused as a whole gets one error. */
function statusOf(response: Response): number {
  return 'error' in response ? 400 : 200;
}
