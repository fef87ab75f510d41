import { useState } from 'preact/hooks';
import type { ConnectionSettings, Connection, KnownTarget } from '../../shared/connections.ts';
import { navigate } from '../model/route.ts';
import { getAppState, useAppState } from '../model/store.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { ConfirmStart } from './connect.tsx';
import { ConnectionSettingsForm } from './connection-settings-form.tsx';
import { useConnect } from './connect.tsx';

const inputExamples = [
  ['https://example.com/mcp', 'an address'],
  ['npx some-server --flag', 'a command; you confirm it before it starts'],
  ['./server.ts', 'a local file'],
  ['cursor:NAME', 'a server that a client has configured'],
] as const;

/** Examples of what to type. */
function InputExamples() {
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
  ['given', 'From the command line'],
  ['last', 'Last time'],
  ['configured', 'Configured in your clients'],
  ['ready-made', 'Ready-made'],
];

/** Known targets, grouped by origin. */
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

/** Adds a server: by typing, or from the known targets. */
export function AddServer() {
  const { targets, connections } = useAppState('connections');
  const [typed, setTyped] = useState('');
  const [settings, setTerms] = useState<ConnectionSettings>({});
  const { connect, start, cancel, confirmation, busy, error } = useConnect({
    terms: settings,
    onConnected: navigateToConnection,
  });

  return (
    <div class={`page add-form ${connections.size === 0 ? 'is-first' : ''}`}>
      <header>
        <h1>{connections.size === 0 ? 'Which server do you want to inspect?' : 'Add a server'}</h1>
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
        <InputExamples />
      ) : (
        <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
      )}
      <ProblemBox error={error} />
      <details>
        <summary class="dim">Revision, headers and capabilities</summary>
        <ConnectionSettingsForm settings={settings} onChange={setTerms} />
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

/** The event of a new connection may arrive after the response. */
async function navigateToConnection(id: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const connection = getAppState().connections.get(id);
    if (connection !== undefined) return navigate({ server: connection.label, section: 'tools' });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
