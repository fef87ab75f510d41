import { Button } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import { useAppState } from '../model/store.ts';

/** The definitions that differ from the lock: what changed, and the decision of the user. */
export function HeldBack({ connection }: { connection: string }) {
  const definitions = useAppState('connections').heldBack.get(connection) ?? [];
  const pending = useRequest();
  if (definitions.length === 0) return null;
  const decide = (held: string, accept: boolean) => () => request('decide-definition', { connection, held, accept });
  return (
    <section class="box note-box" aria-label="Held back">
      <strong>
        {definitions.length === 1 ? 'A definition differs' : `${definitions.length} definitions differ`} from the lock,
        and can not be used
      </strong>
      <ProblemBox error={pending.error} />
      {definitions.map(({ held, item, name, message }) => (
        <div class="block" key={held}>
          <pre>{message}</pre>
          <div class="line">
            <Button pending={pending} run={decide(held, true)} aria-label={`Accept ${item} ${name}`}>
              Accept
            </Button>
            <Button pending={pending} run={decide(held, false)} aria-label={`Reject ${item} ${name}`}>
              Reject
            </Button>
          </div>
        </div>
      ))}
    </section>
  );
}
