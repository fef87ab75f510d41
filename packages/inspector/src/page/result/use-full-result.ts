import { useEffect, useState } from 'preact/hooks';
import { addresses, type WholeCall } from '../../shared/api-paths.ts';
import { get } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import type { Call } from '../model/app-state.ts';

/** A result that is longer is shown when somebody wants it. */
export const shownAtOnce = 262_144;

/** A result, as far as it could be got. */
interface Got {
  readonly result?: unknown;
  /** Why there is none. */
  readonly problem?: string;
}

const reasons: Readonly<Record<NonNullable<WholeCall['missing']>, string>> = {
  'too-large': 'It is too large to be kept here. Copy the call as a command: ccmcp call prints all of it.',
  'given-up': 'It was given up for newer ones. Repeat the call to see it.',
};

/** The result of a call, got from the server side where its event had no room for it; or why it can't be got. */
export function useGotResult(call: Call | undefined, isWanted = true): Got {
  const [loaded, setLoaded] = useState<({ id: string } & Got) | undefined>();
  const id = call?.start.call;
  const isCut = call?.end?.cut === true;
  useEffect(() => {
    if (id === undefined || !isCut || !isWanted || loaded?.id === id || openedRecording.value !== undefined) return;
    get<WholeCall>(addresses.call(id)).then(
      ({ result, missing }) =>
        setLoaded({ id, ...(missing === undefined ? { result } : { problem: reasons[missing] }) }),
      (error: unknown) => setLoaded({ id, problem: (error as Error).message }),
    );
  }, [id, isCut, isWanted]);
  if (!isCut) return { result: call?.end?.result };
  return loaded?.id === id ? (loaded ?? {}) : {};
}

/** The result of a call, once it is there. */
export function useWholeResult(call: Call | undefined, isWanted = true): unknown {
  return useGotResult(call, isWanted).result;
}
