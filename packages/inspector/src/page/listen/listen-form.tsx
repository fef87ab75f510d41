import type { Connection } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { fillWish, filterOf, lists, type Wish, wishFor } from './wish.ts';

/** What is to be listened to. */
export function ListenForm({ connection, isFirst }: { connection: Connection; isFirst: boolean }) {
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
