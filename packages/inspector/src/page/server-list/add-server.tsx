import { useState } from 'preact/hooks';
import type { Connection, ConnectionSettings, KnownTarget } from '../../shared/connections.ts';
import { Button } from '../components/controls.tsx';
import { ProblemBox } from '../components/use-request.tsx';
import { navigate } from '../model/route.ts';
import { getAppState, isUpToDate, useAppState } from '../model/store.ts';
import { ConfirmStart, useConnect } from './connect.tsx';
import { ConnectionSettingsForm } from './connection-settings-form.tsx';

const inputExamples = [
  ['https://example.com/mcp', 'an address'],
  ['npx some-server --flag', 'a command; you confirm it before it starts'],
  ['./server.ts', 'a local file'],
  ['cursor:NAME', 'a server that a client has configured'],
] as const;

/** Examples of what to type. */
function InputExamples() {
  return (
    <dl class="input-examples dim" id="input-examples">
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
                    <span class="mono truncate" title={label}>
                      {label}
                    </span>
                    {detail === label || detail === '' ? null : (
                      <span class="dim truncate" title={detail}>
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
  const [settings, setSettings] = useState<ConnectionSettings>({});
  const { connect, start, cancel, confirmation, busy, error } = useConnect({
    settings,
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
          aria-describedby="input-examples"
          placeholder="Address, command, file or name"
          value={typed}
          autofocus
          spellcheck={false}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            cancel();
          }}
        />
        <Button type="submit" isPrimary={confirmation === undefined} disabled={busy || typed.trim() === ''}>
          Connect
        </Button>
      </form>
      {confirmation === undefined ? (
        <InputExamples />
      ) : (
        <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
      )}
      <ProblemBox error={error} />
      <details>
        <summary class="dim">Revision, headers and capabilities</summary>
        <ConnectionSettingsForm settings={settings} onChange={setSettings} />
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

/** Shown for a URL whose server is not connected. */
export function MissingServer({ label }: { label: string }) {
  const { targets } = useAppState('connections');
  const { connect, start, cancel, confirmation, busy, error } = useConnect();
  const target = targets.find((each) => each.label === label);
  if (!isUpToDate.value) return <p class="empty-text dim">Connecting to the inspector …</p>;
  return (
    <div class="page">
      <p>
        No connection is called <strong>{label}</strong>.
      </p>
      <div class="line">
        {target === undefined ? null : (
          <Button isPrimary disabled={busy} onClick={() => connect({ target: target.id })}>
            Connect {label}
          </Button>
        )}
        <Button onClick={() => navigate({ server: '+', section: 'server' })}>Add a server</Button>
      </div>
      {confirmation === undefined ? null : (
        <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
      )}
      <ProblemBox error={error} />
    </div>
  );
}
