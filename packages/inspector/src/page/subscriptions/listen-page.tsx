import type { Connection } from '../../shared/connections.ts';
import type { Filter, Subscription } from '../../shared/lists.ts';
import { Button, Checkbox, LiveOnly } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import { displayName } from '../model/display-name.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { ChangeList } from './change-list.tsx';
import { type ListenOptions, lists, loadListenOptions, saveListenOptions, toFilter } from './listen-options.ts';

/** Subscriptions and observed changes. */
export function ListenPage({ connection }: { connection: Connection }) {
  const { subscriptions } = useAppState('work');
  const open = [...subscriptions.values()].filter(
    (each) => each.connection === connection.id && each.state !== 'closed',
  );
  return (
    <div class="page">
      <header>
        <h1>Listen</h1>
        <span class="dim">to what changes on {displayName(connection)}</span>
      </header>
      {openedRecording.value === undefined ? <ListenForm connection={connection} isFirst={open.length === 0} /> : null}
      <SubscriptionList subscriptions={open} />
      <ChangeList connection={connection} isListening={open.some(({ state }) => state === 'open')} />
    </div>
  );
}

/** Form of a new subscription. */
function ListenForm({ connection, isFirst }: { connection: Connection; isFirst: boolean }) {
  const pending = useRequest();
  const options = loadListenOptions(connection.label);
  const filter = toFilter(options);
  const set = (change: Partial<ListenOptions>) =>
    saveListenOptions(connection.label, { ...loadListenOptions(connection.label), ...change });
  return (
    <>
      <div class="options">
        <span class="dim">Lists</span>
        <span class="line">
          {lists.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={options.lists.includes(name)}
              onChange={(checked) =>
                set({ lists: lists.filter((each) => (each === name ? checked : options.lists.includes(each))) })
              }
            />
          ))}
        </span>
        <label for="listen-uris">Resources</label>
        <span class="block">
          <textarea
            id="listen-uris"
            class="input mono"
            rows={2}
            placeholder="addresses, one per line"
            spellcheck={false}
            value={options.uris}
            onInput={(event) => set({ uris: event.currentTarget.value })}
          />
          <Checkbox
            label="read them now and on every change, to show a diff"
            checked={options.reads}
            onChange={(checked) => set({ reads: checked })}
          />
        </span>
      </div>
      <div class="line">
        <Button
          id="call"
          isPrimary={isFirst}
          pending={pending}
          disabled={connection.status.is !== 'connected' || Object.keys(filter).length === 0}
          run={() => request('listen', { connection: connection.id, filter, reads: options.reads })}
        >
          Listen
        </Button>
      </div>
      <ProblemBox error={pending.error} />
    </>
  );
}

/** Active subscriptions, and what the server honours of them. */
function SubscriptionList({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const pending = useRequest();
  if (subscriptions.length === 0) return null;
  return (
    <section class="block" aria-label="Subscriptions">
      <h2>Subscriptions</h2>
      <ul class="library">
        {subscriptions.map(({ subscription, state, wanted, honoured, reads, message }) => (
          <li key={subscription} class="line">
            <span class={state === 'open' ? 'ok' : state === 'broken' ? 'bad' : 'dim'}>
              {state === 'open' ? '●' : state === 'broken' ? '✕' : '◐'} {state}
            </span>
            <span class="grow">
              {formatFilter(wanted)}
              {reads && wanted.uris !== undefined ? <span class="dim"> · read when they change</span> : null}
              {honoured === undefined || formatFilter(honoured) === formatFilter(wanted) ? null : (
                <span class="note"> · the server tells of: {formatFilter(honoured) || 'nothing'}</span>
              )}
              {message === undefined ? null : <span class="dim"> · {message}</span>}
            </span>
            <LiveOnly>
              <Button class="quiet" onClick={() => pending.run(() => request('unlisten', { subscription }))}>
                Stop
              </Button>
            </LiveOnly>
          </li>
        ))}
      </ul>
      <ProblemBox error={pending.error} />
    </section>
  );
}

function formatFilter({ uris = [], more, ...names }: Filter): string {
  const wanted = Object.entries(names).flatMap(([name, value]) => (value ? [name] : []));
  return [...wanted.toSorted(), ...uris.toSorted(), ...Object.keys(more ?? {})].join(', ');
}
