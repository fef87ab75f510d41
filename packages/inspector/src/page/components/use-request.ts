import { useState } from 'preact/hooks';

/** Something that is asked of the server side: whether it is under way, and what was wrong with it. */
export interface Asking {
  readonly busy: boolean;
  readonly error: unknown;
  run(what: () => Promise<unknown>): void;
}

/** Keeps track of something that is asked of the server side. */
export function useAsking(): Asking {
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
