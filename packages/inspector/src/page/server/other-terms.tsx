import { useState } from 'preact/hooks';
import type { Connection, ConnectionTerms } from '../../shared/connections.ts';
import type { Confirmation } from '../../shared/requests.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { ConfirmStart } from '../servers/confirm-start.tsx';
import { TermsForm } from '../servers/terms-form.tsx';

/** The same server in another revision or with other headers: instead of this connection, or beside it. */
export function OtherTerms({ connection }: { connection: Connection }) {
  const [terms, setTerms] = useState<ConnectionTerms>(connection.terms);
  const [confirmation, setConfirmation] = useState<Confirmation | undefined>();
  const asking = useAsking();
  const destination = connection.target === undefined ? { typed: connection.detail } : { target: connection.target };
  const beside = (code?: string) =>
    asking.run(async () => {
      const given = await ask('connect', { ...destination, terms, ...(code !== undefined && { code }) });
      setConfirmation('confirm' in given ? given.confirm : undefined);
    });
  return (
    <details>
      <summary>Another revision, other headers</summary>
      <div class="block">
        <TermsForm terms={terms} onChange={setTerms} />
        <div class="line">
          <button
            type="button"
            class="button"
            disabled={asking.busy}
            onClick={() => asking.run(() => ask('reconnect', { connection: connection.id, terms }))}
          >
            Connect again like this
          </button>
          <button type="button" class="button" disabled={asking.busy} onClick={() => beside()}>
            Connect beside it
          </button>
        </div>
        {confirmation === undefined ? null : (
          <ConfirmStart
            confirmation={confirmation}
            busy={asking.busy}
            onStart={() => beside(confirmation.code)}
            onCancel={() => setConfirmation(undefined)}
          />
        )}
        <ProblemBox error={asking.error} />
      </div>
    </details>
  );
}
