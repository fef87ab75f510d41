import { useState } from 'preact/hooks';
import type { ConnectionTerms } from '../../shared/connections.ts';
import type { Confirmation, Destination } from '../../shared/requests.ts';
import { ask } from '../model/api.ts';
import { goTo } from '../model/place.ts';
import { theWorld, useWorld } from '../model/state.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { ConfirmStart } from './confirm-start.tsx';
import { KnownTargets } from './known-targets.tsx';
import { TermsForm } from './terms-form.tsx';
import { WhatToType } from './what-to-type.tsx';

/** Where a server is added: what to type, and what can be connected to without typing. */
export function AddServer() {
  const { targets, connections } = useWorld('connections');
  const [typed, setTyped] = useState('');
  const [terms, setTerms] = useState<ConnectionTerms>({});
  const [waiting, setWaiting] = useState<{ confirm: Confirmation; destination: Destination } | undefined>();
  const asking = useAsking();

  const connect = (destination: Destination, code?: string) =>
    asking.run(async () => {
      const given = await ask('connect', { ...destination, terms, ...(code !== undefined && { code }) });
      if ('confirm' in given) return setWaiting({ confirm: given.confirm, destination });
      setWaiting(undefined);
      await goToConnection(given.connection);
    });

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
            setWaiting(undefined);
          }}
        />
        <button
          type="submit"
          class={`button ${waiting === undefined ? 'primary' : ''}`}
          disabled={asking.busy || typed.trim() === ''}
        >
          Connect
        </button>
      </form>
      {waiting === undefined ? (
        <WhatToType />
      ) : (
        <ConfirmStart
          confirmation={waiting.confirm}
          busy={asking.busy}
          onStart={() => connect(waiting.destination, waiting.confirm.code)}
          onCancel={() => setWaiting(undefined)}
        />
      )}
      <ProblemBox error={asking.error} />
      <details>
        <summary class="dim">Revision, headers and what the server may ask</summary>
        <TermsForm terms={terms} onChange={setTerms} />
      </details>
      <KnownTargets
        targets={targets}
        connections={connections}
        busy={asking.busy}
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
