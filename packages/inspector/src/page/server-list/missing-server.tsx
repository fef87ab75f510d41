import { navigate } from '../model/route.ts';
import { isUpToDate, useAppState } from '../model/store.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { ConfirmStart } from './connect.tsx';
import { useConnect } from './connect.tsx';

/** Shown for a URL whose server is not connected. */
export function MissingServer({ label }: { label: string }) {
  const { targets } = useAppState('connections');
  const { connect, start, cancel, confirmation, busy, error } = useConnect();
  const target = targets.find((each) => each.label === label);
  if (!isUpToDate.value) return <p class="emptiness dim">Connecting to the inspector …</p>;
  return (
    <div class="page">
      <p>
        No connection is called <strong>{label}</strong>.
      </p>
      <div class="line">
        {target === undefined ? null : (
          <button type="button" class="button primary" disabled={busy} onClick={() => connect({ target: target.id })}>
            Connect {label}
          </button>
        )}
        <button type="button" class="button" onClick={() => navigate({ server: '+', section: 'server' })}>
          Add a server
        </button>
      </div>
      {confirmation === undefined ? null : (
        <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
      )}
      <ProblemBox error={error} />
    </div>
  );
}
