import type { Connection } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { useWorld } from '../model/state.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

/** Offers to walk through signing in where the server does not want it: to see whether it would work. */
export function SignInOffer({ connection: { id, kind, status } }: { connection: Connection }) {
  const { flows } = useWorld('findings');
  const asking = useAsking();
  const hasFlow = [...flows.values()].some(({ state }) => state.connection === id);
  if (kind !== 'url' || status.is !== 'connected' || hasFlow) return null;
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={asking.busy}
        onClick={() => asking.run(() => ask('sign-in', { connection: id, steps: true }))}
      >
        Sign in with OAuth, step by step
      </button>
      <ProblemBox error={asking.error} />
    </>
  );
}
