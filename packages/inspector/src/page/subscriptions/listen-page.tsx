import type { Connection } from '../../shared/connections.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { HeardList } from './change-list.tsx';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { fillWish, filterOf, lists, type Wish, wishFor } from './listen-options.ts';
import type { Filter, Subscription } from '../../shared/subscriptions.ts';
import { LiveOnly } from '../components/live-only.tsx';

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

/** What is to be listened to. */
function ListenForm({ connection, isFirst }: { connection: Connection; isFirst: boolean }) {
  const asking = useAsking();
  const wish = wishFor(connection.label);
  const filter = filterOf(wish);
  const set = (change: Partial<Wish>) => fillWish(connection.label, { ...wishFor(connection.label), ...change });
  return (
    <>
      <div class="options">
        <span class="dim">Lists</span>
        <span class="line">
          {lists.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={wish.lists.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  set({ lists: lists.filter((each) => (each === name ? checked : wish.lists.includes(each))) })
                }
              />{' '}
              {name}
            </label>
          ))}
        </span>
        <label for="listen-uris">Resources</label>
        <span class="block">
          <textarea
            id="listen-uris"
            class="input mono"
            rows={2}
            placeholder="addresses, one a line"
            spellcheck={false}
            value={wish.uris}
            onInput={(event) => set({ uris: event.currentTarget.value })}
          />
          <label>
            <input
              type="checkbox"
              checked={wish.reads}
              onChange={(event) => set({ reads: event.currentTarget.checked })}
            />{' '}
            read them, now and whenever they change, to show what changed
          </label>
        </span>
      </div>
      <div class="line">
        <button
          type="button"
          id="call"
          class={`button ${isFirst ? 'primary' : ''}`}
          disabled={asking.busy || connection.status.is !== 'connected' || Object.keys(filter).length === 0}
          onClick={() => asking.run(() => ask('listen', { connection: connection.id, filter, reads: wish.reads }))}
        >
          Listen
        </button>
      </div>
      <ProblemBox error={asking.error} />
    </>
  );
}

/** What is listened to, and what the server tells of it. */
function SubscriptionList({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const asking = useAsking();
  if (subscriptions.length === 0) return null;
  return (
    <section class="block" aria-label="Subscriptions">
      <h2>Subscriptions</h2>
      <ul class="library">
        {subscriptions.map(({ subscription, state, wanted, honoured, reads, says }) => (
          <li key={subscription} class="line">
            <span class={state === 'open' ? 'ok' : state === 'broken' ? 'bad' : 'dim'}>
              {state === 'open' ? '●' : state === 'broken' ? '✕' : '◐'} {state}
            </span>
            <span class="grow">
              {named(wanted)}
              {reads && wanted.uris !== undefined ? <span class="dim"> · read when they change</span> : null}
              {honoured === undefined || named(honoured) === named(wanted) ? null : (
                <span class="note"> · the server tells of: {named(honoured) || 'nothing'}</span>
              )}
              {says === undefined ? null : <span class="dim"> · {says}</span>}
            </span>
            <LiveOnly>
              <button type="button" class="quiet" onClick={() => asking.run(() => ask('unlisten', { subscription }))}>
                Stop
              </button>
            </LiveOnly>
          </li>
        ))}
      </ul>
      <ProblemBox error={asking.error} />
    </section>
  );
}

function named({ uris = [], more, ...names }: Filter): string {
  const wanted = Object.entries(names).flatMap(([name, value]) => (value ? [name] : []));
  return [...wanted.toSorted(), ...uris.toSorted(), ...Object.keys(more ?? {})].join(', ');
}
