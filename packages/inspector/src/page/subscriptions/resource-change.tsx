import type { Connection } from '../../shared/connections.ts';
import { type Json, jsonEquals } from '../../shared/json.ts';
import { Button, LiveOnly } from '../components/controls.tsx';
import { formatTime } from '../components/format.ts';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { parseJsonTexts } from '../diff/diff.ts';
import { request } from '../model/api.ts';
import type { AppState, Call } from '../model/app-state.ts';
import type { ObservedResourceChange } from '../model/change-history.ts';
import { navigate } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { useFetchedResult } from '../model/use-full-result.ts';

/** Diff of a resource between the last read before a change and the first one after. */
export function ResourceChangeDetail({
  change: { uri },
  readings: { before, after },
  connection,
}: {
  change: ObservedResourceChange;
  readings: Readings;
  connection: Connection;
}) {
  const pending = useRequest();
  const read = () =>
    pending.run(() => request('call', { connection: connection.id, method: 'resources/read', params: { uri } }));
  return (
    <>
      <ReadingsDiff before={before} after={after} />
      <LiveOnly>
        <span class="line">
          {after === undefined ? (
            <Button disabled={pending.busy || connection.status.is !== 'connected'} onClick={read}>
              Read it
            </Button>
          ) : null}
          <Button class="quiet" onClick={() => navigate({ server: connection.label, section: 'resources', name: uri })}>
            Go to it
          </Button>
        </span>
      </LiveOnly>
      <ProblemBox error={pending.error} />
    </>
  );
}

function ReadingsDiff({ before, after }: Readings) {
  // Calls are mutated in place.
  useAppState('calls');
  const left = useFetchedResult(before);
  const right = useFetchedResult(after);
  if (after === undefined) {
    return (
      <p class="dim">
        {before === undefined
          ? 'It was never read. Read it now to compare it with later versions.'
          : `It was last read at ${formatTime(before.start.at)}, before it changed. Reading it shows what changed.`}
      </p>
    );
  }
  if (after.end === undefined) return <p class="dim">It is being read …</p>;
  if (after.end.outcome !== 'ok') return <p class="bad">It could not be read: {after.end.error?.message}</p>;
  if (before === undefined) return <p class="dim">It was not read before, so there is nothing to compare.</p>;
  const problem = left.problem ?? right.problem;
  if (problem !== undefined) return <p class="dim">{problem}</p>;
  if (left.result === undefined || right.result === undefined) return <p class="dim">{loadingText(before, after)}</p>;
  return (
    <>
      <p class="dim">
        Read at {formatTime(before.start.at)} and at {formatTime(after.start.at)}:
      </p>
      <DiffView before={parseJsonTexts(left.result as Json)} after={parseJsonTexts(right.result as Json)} />
    </>
  );
}

function loadingText(...calls: readonly Call[]): string {
  return calls.some(({ end }) => end?.truncated) ? 'Loading a large result …' : 'Loading …';
}

/** One-line summary of a resource change. */
export function ResourceChangeSummary({ uri, readings }: { uri: string; readings: Readings }) {
  const [tone, message] = summarize(readings);
  return (
    <>
      <span class={tone}>{message}</span> <span class="mono">{uri}</span>
    </>
  );
}

function summarize({ before, after }: Readings): readonly [tone: string, message: string] {
  if (after === undefined) return ['dim', 'not read since'];
  if (after.end === undefined) return ['dim', 'reading …'];
  if (after.end.outcome !== 'ok') return ['bad', '✕ could not be read'];
  if (before?.end === undefined) return ['dim', 'not read before'];
  if (before.end.truncated || after.end.truncated) return ['', 'read'];
  return jsonEquals(before.end.result as Json, after.end.result as Json)
    ? ['dim', 'no differences']
    : ['note', '≠ changed'];
}

/** Reads of a resource around a change. */
interface Readings {
  /** Last successful read before. */
  readonly before: Call | undefined;
  /** First read after, possibly unfinished. */
  readonly after: Call | undefined;
}

/** Finds the last read before a change, and the first one after. */
export function findReadings({ calls }: AppState, { connection, uri, n, last }: ObservedResourceChange): Readings {
  let before: Call | undefined;
  for (const call of calls.values()) {
    const { start, end } = call;
    if (start.method !== 'resources/read' || start.connection !== connection || start.subject !== uri) continue;
    if (start.n > last) return { before, after: call };
    if (start.n < n && end?.outcome === 'ok') before = call;
  }
  return { before, after: undefined };
}
