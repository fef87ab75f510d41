import { useState } from 'preact/hooks';
import type { ConnectionTerms } from '../../shared/connections.ts';
import { goTo } from '../model/place.ts';
import { theWorld, useWorld } from '../model/state.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { ConfirmStart } from './confirm-start.tsx';
import { KnownTargets } from './known-targets.tsx';
import { TermsForm } from './terms-form.tsx';
import { useConnecting } from './use-connecting.ts';
import { WhatToType } from './what-to-type.tsx';

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
