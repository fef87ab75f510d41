import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { Filter } from '../../shared/work.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import { timeOfDay } from '../parts/figures.ts';
import { LiveOnly } from '../parts/live-only.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { JsonTree } from '../result/json-tree.tsx';

const lists = ['tools', 'resources', 'prompts'] as const;

/** What is listened to, and what was heard. */
export function ListenPage({ connection }: { connection: Connection }) {
  const { subscriptions, changes } = useWorld('work');
  const [wanted, setWanted] = useState<Readonly<Record<string, boolean>>>({
    tools: true,
    resources: true,
    prompts: true,
  });
  const [uris, setUris] = useState('');
  const asking = useAsking();
  const open = [...subscriptions.values()].filter(
    (each) => each.connection === connection.id && each.state !== 'closed',
  );
  const heard = changes
    .filter((change) => change.connection === connection.id)
    .reverse()
    .slice(0, 200);
  const addresses = uris
    .split('\n')
    .map((uri) => uri.trim())
    .filter(Boolean);
  const filter: Filter = {
    ...Object.fromEntries(lists.filter((name) => wanted[name]).map((name) => [name, true])),
    ...(addresses.length > 0 && { uris: addresses }),
  };
  return (
    <div class="page">
      <header>
        <h1>Listen</h1>
        <span class="dim">to what changes on {shownName(connection)}</span>
      </header>
      {openedRecording.value !== undefined ? null : (
        <>
          <div class="options">
            <span class="dim">Lists</span>
            <span class="line">
              {lists.map((name) => (
                <label key={name}>
                  <input
                    type="checkbox"
                    checked={wanted[name] === true}
                    onChange={(event) => setWanted({ ...wanted, [name]: event.currentTarget.checked })}
                  />{' '}
                  {name}
                </label>
              ))}
            </span>
            <label for="listen-uris">Resources</label>
            <textarea
              id="listen-uris"
              class="input mono"
              rows={2}
              placeholder="addresses, one a line"
              spellcheck={false}
              value={uris}
              onInput={(event) => setUris(event.currentTarget.value)}
            />
          </div>
          <div class="line">
            <button
              type="button"
              class={`button ${open.length === 0 ? 'primary' : ''}`}
              disabled={asking.busy || connection.status.is !== 'connected' || Object.keys(filter).length === 0}
              onClick={() => asking.run(() => ask('listen', { connection: connection.id, filter }))}
            >
              Listen
            </button>
          </div>
        </>
      )}
      <ProblemBox error={asking.error} />
      {open.length === 0 ? null : (
        <section class="block" aria-label="Subscriptions">
          <h2>Subscriptions</h2>
          <ul class="library">
            {open.map(({ subscription, state, wanted: asked, honoured, says }) => (
              <li key={subscription} class="line">
                <span class={state === 'open' ? 'ok' : state === 'broken' ? 'bad' : 'dim'}>
                  {state === 'open' ? '●' : state === 'broken' ? '✕' : '◐'} {state}
                </span>
                <span class="grow">
                  {named(asked)}
                  {honoured === undefined || named(honoured) === named(asked) ? null : (
                    <span class="note"> · the server tells of: {named(honoured) || 'nothing'}</span>
                  )}
                  {says === undefined ? null : <span class="dim"> · {says}</span>}
                </span>
                <LiveOnly>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => asking.run(() => ask('unlisten', { subscription }))}
                  >
                    Stop
                  </button>
                </LiveOnly>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="block" aria-label="Heard">
        <h2>Heard</h2>
        {heard.length === 0 ? <p class="dim">Nothing has changed yet.</p> : null}
        <ul class="library">
          {heard.map((change) => (
            <li key={change.n} class="line">
              <span class="dim mono small">{timeOfDay(change.at)}</span>
              <span>{change.what === 'resource' ? 'resource' : `list of ${change.what}`}</span>
              <code class="grow cut">{change.uri}</code>
              {change.value === undefined ? null : <JsonTree value={change.value as Json} depth={0} />}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function named({ uris = [], more, ...names }: Filter): string {
  const wanted = Object.entries(names).flatMap(([name, value]) => (value ? [name] : []));
  return [...wanted.toSorted(), ...uris.toSorted(), ...Object.keys(more ?? {})].join(', ');
}
