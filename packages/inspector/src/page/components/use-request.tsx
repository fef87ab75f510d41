import { useRef, useState } from 'preact/hooks';

/** State of a request to the inspector server. */
export interface RequestState {
  readonly busy: boolean;
  readonly error: unknown;
  run(what: () => Promise<unknown>): void;
}

/** Tracks a request to the inspector server. */
export function useRequest(): RequestState {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (what: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    what()
      .catch((problem: unknown) => setError(problem))
      .finally(() => setBusy(false));
  };
  return { busy, error, run };
}

/** A label that shows the outcome of some work for two seconds. */
export function useOutcomeLabel({ idle, done, failed }: { idle: string; done: string; failed: string }) {
  const [label, setLabel] = useState(idle);
  const reset = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const run = async (work: Promise<unknown>) => {
    try {
      await work;
      setLabel(done);
    } catch (error) {
      setLabel(error instanceof Error ? error.message : failed);
    }
    clearTimeout(reset.current);
    reset.current = setTimeout(() => setLabel(idle), 2000);
  };
  return { label, run };
}

/** Shows an error and what to do about it. */
export function ProblemBox({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const { message = 'The request failed.', advice } =
    typeof error === 'string' ? { message: error } : (error as { message?: string; advice?: string });
  return (
    <div class="box bad-box" role="alert">
      <strong>{message}</strong>
      {advice === undefined ? null : <p>{advice}</p>}
    </div>
  );
}
