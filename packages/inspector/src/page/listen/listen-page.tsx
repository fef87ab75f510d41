import type { Connection } from '../../shared/connections.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import { HeardList } from './heard-list.tsx';
import { ListenForm } from './listen-form.tsx';
import { SubscriptionList } from './subscription-list.tsx';

/** What is listened to, and what was heard. */
export function ListenPage({ connection }: { connection: Connection }) {
  const { subscriptions } = useWorld('work');
  const open = [...subscriptions.values()].filter(
    (each) => each.connection === connection.id && each.state !== 'closed',
  );
  return (
    <div class="page">
      <header>
        <h1>Listen</h1>
        <span class="dim">to what changes on {shownName(connection)}</span>
      </header>
      {openedRecording.value === undefined ? <ListenForm connection={connection} isFirst={open.length === 0} /> : null}
      <SubscriptionList subscriptions={open} />
      <HeardList connection={connection} isListening={open.some(({ state }) => state === 'open')} />
    </div>
  );
}
