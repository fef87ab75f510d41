import type { Connection } from '../../shared/connections.ts';
import { DifferenceView } from '../diff/diff-view.tsx';
import { withReadTexts } from '../diff/diff.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';
import type { HeardResource } from '../model/change-history.ts';
import { goTo } from '../model/route.ts';
import { useWorld } from '../model/store.ts';
import type { Call, World } from '../model/app-state.ts';
import { timeOfDay } from '../components/format.ts';
import { LiveOnly } from '../components/live-only.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { useGotResult } from '../result/use-full-result.ts';
import { sameJson } from '../form/json.ts';

/** What changed in a resource between the last reading before and the first reading since; or how to find out. */
export function ResourceDifference({
  heard: { uri },
  readings: { before, after },
  connection,
}: {
  heard: HeardResource;
  readings: Readings;
  connection: Connection;
}) {
  const asking = useAsking();
  const read = () =>
    asking.run(() => ask('call', { connection: connection.id, method: 'resources/read', params: { uri } }));
  return (
    <>
      <Compared before={before} after={after} />
      <LiveOnly>
        <span class="line">
          {after === undefined ? (
            <button
              type="button"
              class="button"
              disabled={asking.busy || connection.status.is !== 'connected'}
              onClick={read}
            >
              Read it
            </button>
          ) : null}
          <button
            type="button"
            class="quiet"
            onClick={() => goTo({ server: connection.label, section: 'resources', name: uri })}
          >
            Go to it
          </button>
        </span>
      </LiveOnly>
      <ProblemBox error={asking.error} />
    </>
  );
}

function Compared({ before, after }: Readings) {
  // The calls stay the same objects while they go on.
  useWorld('calls');
  const left = useGotResult(before);
  const right = useGotResult(after);
  if (after === undefined) {
    return (
      <p class="dim">
        {before === undefined
          ? 'It was never read: what it says after the next reading can be compared with later ones.'
          : `It was last read at ${timeOfDay(before.start.at)}, before it changed. Reading it shows what changed.`}
      </p>
    );
  }
  if (after.end === undefined) return <p class="dim">It is being read …</p>;
  if (after.end.outcome !== 'ok') return <p class="bad">It could not be read: {after.end.error?.says}</p>;
  if (before === undefined) return <p class="dim">It was not read before, so there is nothing to compare it with.</p>;
  const problem = left.problem ?? right.problem;
  if (problem !== undefined) return <p class="dim">{problem}</p>;
  if (left.result === undefined || right.result === undefined) return <p class="dim">{missing(before, after)}</p>;
  return (
    <>
      <p class="dim">
        Read at {timeOfDay(before.start.at)} and at {timeOfDay(after.start.at)}:
      </p>
      <DifferenceView before={withReadTexts(left.result as Json)} after={withReadTexts(right.result as Json)} />
    </>
  );
}

function missing(...calls: readonly Call[]): string {
  return calls.some(({ end }) => end?.cut) ? 'What was read is too long to be here at once …' : 'Loading …';
}

/** What is known of a change of a resource, in a line. */
export function ResourceSummary({ uri, readings }: { uri: string; readings: Readings }) {
  const [tone, says] = verdict(readings);
  return (
    <>
      <span class={tone}>{says}</span> <span class="mono">{uri}</span>
    </>
  );
}

function verdict({ before, after }: Readings): readonly [tone: string, says: string] {
  if (after === undefined) return ['dim', 'not read since'];
  if (after.end === undefined) return ['dim', 'reading …'];
  if (after.end.outcome !== 'ok') return ['bad', '✕ could not be read'];
  if (before?.end === undefined) return ['dim', 'not read before'];
  if (before.end.cut || after.end.cut) return ['', 'read'];
  return sameJson(before.end.result as Json, after.end.result as Json)
    ? ['dim', 'nothing in it differs']
    : ['note', '≠ changed'];
}

/** The readings of a resource around a change of it. */
interface Readings {
  /** The last one before that has a result. */
  readonly before: Call | undefined;
  /** The first one since, as far as it has come. */
  readonly after: Call | undefined;
}

/** Finds the last reading before a resource changed, and the first one since. */
export function readingsOf({ calls }: World, { connection, uri, n, last }: HeardResource): Readings {
  let before: Call | undefined;
  for (const call of calls.values()) {
    const { start, end } = call;
    if (start.method !== 'resources/read' || start.connection !== connection || start.subject !== uri) continue;
    if (start.n > last) return { before, after: call };
    if (start.n < n && end?.outcome === 'ok') before = call;
  }
  return { before, after: undefined };
}
