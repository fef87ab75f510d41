import { useEffect, useState } from 'preact/hooks';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import { fetchJson } from './api.ts';
import { openedRecording } from './route.ts';
import type { Call } from './app-state.ts';

/** Larger results are loaded on demand. */
export const autoLoadBytes = 262_144;

/** A fetched result, or why there is none. */
interface FetchedResult {
  readonly result?: unknown;
  /** Why there is no result. */
  readonly problem?: string;
}

const missingReasons: Readonly<Record<NonNullable<FullCall['missing']>, string>> = {
  'too-large': 'It is too large to store. Copy the call as a command: ccmcp call prints all of it.',
  evicted: 'It was dropped in favor of newer ones. Repeat the call to see it.',
};

/** Result of a call, fetched if its event does not contain it. */
export function useFetchedResult(call: Call | undefined, isWanted = true): FetchedResult {
  const [loaded, setLoaded] = useState<({ id: string } & FetchedResult) | undefined>();
  const id = call?.start.call;
  const isTruncated = call?.end?.truncated === true;
  useEffect(() => {
    if (id === undefined || !isTruncated || !isWanted || loaded?.id === id || openedRecording.value !== undefined)
      return;
    fetchJson<FullCall>(apiPaths.call(id)).then(
      ({ result, missing }) =>
        setLoaded({ id, ...(missing === undefined ? { result } : { problem: missingReasons[missing] }) }),
      (error: unknown) => setLoaded({ id, problem: (error as Error).message }),
    );
  }, [id, isTruncated, isWanted]);
  if (!isTruncated) return { result: call?.end?.result };
  return loaded?.id === id ? (loaded ?? {}) : {};
}

/** Result of a call, once loaded. */
export function useFullResult(call: Call | undefined, isWanted = true): unknown {
  return useFetchedResult(call, isWanted).result;
}
