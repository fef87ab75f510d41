import { useState } from 'preact/hooks';
import type { ConnectionTerms, Connection, KnownTarget } from '../../shared/connections.ts';
import { goTo } from '../model/route.ts';
import { theWorld, useWorld } from '../model/store.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { ConfirmStart } from './connect.tsx';
import { TermsForm } from './connection-settings-form.tsx';
import { useConnecting } from './connect.tsx';

const inputExamples = [
  ['https://example.com/mcp', 'an address'],
  ['npx some-server --flag', 'a command; you see it in full before it is started'],
  ['./server.ts', 'a file of yours'],
  ['cursor:NAME', 'a server that a client has configured'],
] as const;

/** Says what can be typed where a server is named. */
function WhatToType() {
  return (
    <dl class="what-to-type dim" id="what-to-type">
      {inputExamples.map(([example, what]) => (
        <div key={example}>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
const targetGroups: readonly (readonly [origin: KnownTarget['origin'], title: string])[] = [
  ['mounted', 'In this process'],
  ['given', 'Named when the inspector was started'],
  ['last', 'Last time'],
  ['configured', 'Configured in your clients'],
  ['ready-made', 'Ready-made'],
];

/** What can be connected to without typing, by who names it. */
function KnownTargets({
  targets,
  connections,
  busy,
  onChoose,
}: {
  targets: readonly KnownTarget[];
  connections: ReadonlyMap<string, Connection>;
  busy: boolean;
  onChoose: (id: string) => void;
}) {
  const connected = new Set([...connections.values()].map(({ target }) => target));
  return (
    <>
      {targetGroups.map(([origin, title]) => {
        const own = targets.filter((target) => target.origin === origin);
        return own.length === 0 ? null : (
          <section key={origin} class="block" aria-label={title}>
            <h2>{title}</h2>
            <ul class="targets">
              {own.map(({ id, label, detail = '' }) => (
                <li key={id}>
                  <button type="button" disabled={busy} onClick={() => onChoose(id)}>
                    <span class="mono cut" title={label}>
                      {label}
                    </span>
                    {detail === label || detail === '' ? null : (
                      <span class="dim cut" title={detail}>
                        {detail}
                      </span>
                    )}
                    {connected.has(id) ? <span class="dim small">added</span> : null}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** Where a server is added: what to type, and what can be connected to without typing. */
export function AddServer() {
  const { targets, connections } = useWorld('connections');
  const [typed, setTyped] = useState('');
  const [terms, setTerms] = useState<ConnectionTerms>({});
  const { connect, start, cancel, confirmation, busy, error } = useConnecting({ terms, onConnected: goToConnection });

  return (
    <div class={`page add-form ${connections.size === 0 ? 'is-first' : ''}`}>
      <header>
        <h1>{connections.size === 0 ? 'Which server do you want to look at?' : 'Add a server'}</h1>
      </header>
      <form
        class="inputs"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') connect({ typed: typed.trim() });
        }}
      >
        <input
          class="input mono"
          aria-label="Server: an address, a command, a file or a name"
          aria-describedby="what-to-type"
          placeholder="Address, command, file or name"
          value={typed}
          autofocus
          spellcheck={false}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            cancel();
          }}
        />
        <button
          type="submit"
          class={`button ${confirmation === undefined ? 'primary' : ''}`}
          disabled={busy || typed.trim() === ''}
        >
          Connect
        </button>
      </form>
      {confirmation === undefined ? (
        <WhatToType />
      ) : (
        <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
      )}
      <ProblemBox error={error} />
      <details>
        <summary class="dim">Revision, headers and what the server may ask</summary>
        <TermsForm terms={terms} onChange={setTerms} />
      </details>
      <KnownTargets
        targets={targets}
        connections={connections}
        busy={busy}
        onChoose={(target) => connect({ target })}
      />
    </div>
  );
}

/** The event of a new connection may come after the answer that names it. */
async function goToConnection(id: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const connection = theWorld().connections.get(id);
    if (connection !== undefined) return goTo({ server: connection.label, section: 'tools' });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
