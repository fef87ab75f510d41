import type { Filter, Subscription } from '../../shared/work.ts';
import { ask } from '../model/api.ts';
import { LiveOnly } from '../parts/live-only.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

/** What is listened to, and what the server tells of it. */
export function SubscriptionList({ subscriptions }: { subscriptions: readonly Subscription[] }) {
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
