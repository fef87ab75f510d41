import { isId, type Notification } from '../../../jsonrpc/message.ts';
import type { Peer } from '../../peer.ts';

/** Handles a cancellation: aborts the running request of the same client. Ignores one that is unknown or finished: messages may cross. */
export function cancelRunning({ params }: Notification, { running }: Peer): void {
  const id = params?.requestId;
  if (!isId(id)) return;
  running.get(id)?.cancel(typeof params?.reason === 'string' ? params.reason : undefined);
}
