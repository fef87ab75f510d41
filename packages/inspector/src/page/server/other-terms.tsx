import { useState } from 'preact/hooks';
import type { Connection, ConnectionTerms } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { ConfirmStart } from '../servers/confirm-start.tsx';
import { TermsForm } from '../servers/terms-form.tsx';
import { useConnecting } from '../servers/use-connecting.ts';

/** The same server in another revision or with other headers: instead of this connection, or beside it. */
export function OtherTerms({ connection }: { connection: Connection }) {
  const [terms, setTerms] = useState<ConnectionTerms>(connection.terms);
  const asking = useAsking();
  const { connect, start, cancel, confirmation, ...beside } = useConnecting({ terms });
  const destination = connection.target === undefined ? { typed: connection.detail } : { target: connection.target };
  const busy = asking.busy || beside.busy;
  return (
    <details>
      <summary>Another revision, other headers</summary>
      <div class="block">
        <TermsForm terms={terms} onChange={setTerms} />
        <div class="line">
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => asking.run(() => ask('reconnect', { connection: connection.id, terms }))}
          >
            Connect again like this
          </button>
          <button type="button" class="button" disabled={busy} onClick={() => connect(destination)}>
            Connect beside it
          </button>
        </div>
        {confirmation === undefined ? null : (
          <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
        )}
        <ProblemBox error={asking.error ?? beside.error} />
      </div>
    </details>
  );
}
