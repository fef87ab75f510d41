import { useWorld } from '../model/state.ts';

/** What was odd about a connection: nothing failed by it, and whoever wrote the server would like to know. */
export function ServerWarnings({ connection }: { connection: string }) {
  const warnings = [...(useWorld('connections').warnings.get(connection) ?? [])];
  if (warnings.length === 0) return null;
  return (
    <section class="block" aria-label="Warnings">
      <h2>Warnings</h2>
      <ul class="library">
        {warnings.map(([says, count]) => (
          <li key={says} class="line">
            <span class="note mark">▲</span>
            <span class="grow">{says}</span>
            {count === 1 ? null : <span class="dim small">{count} times</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
