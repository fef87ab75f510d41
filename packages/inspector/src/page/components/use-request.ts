import { useState } from 'preact/hooks';

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
