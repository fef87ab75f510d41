import { goTo } from '../model/route.ts';
import { isUpToDate, useWorld } from '../model/store.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { ConfirmStart } from './connect.tsx';
import { useConnecting } from './connect.tsx';

/** The address names a server that is not connected: a link may have led here. */
export function MissingServer({ label }: { label: string }) {
  const { targets } = useWorld('connections');
  const { connect, start, cancel, confirmation, busy, error } = useConnecting();
  const target = targets.find((each) => each.label === label);
  if (!isUpToDate.value) return <p class="emptiness dim">Waiting for the inspector …</p>;
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
        <button type="button" class="button" onClick={() => goTo({ server: '+', section: 'server' })}>
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
