import { isWorkerd } from '../../runtime/kind.ts';
import { nextTurn } from '../../runtime/timers.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

/** The number of listings that are converted without a break: takes a few milliseconds. */
const FEW = 64;

/** Duration of one time slice. */
const SLICE_MS = 4;

/** When the current time slice ends, for all lists that are being converted. */
let sliceEnds: number | undefined;

/**
 * Converts the schemas of schema libraries for a list of tools, which may take a second for thousands. Undefined if
 * they are converted, or few enough to convert on reading; otherwise works in time slices until `isOver`, so that other
 * requests are served. Listings that fail to convert are reported when they are read.
 */
export function writeRows(entries: readonly ToolEntry[], isOver: () => boolean): Promise<void> | undefined {
  let pending = 0;
  for (const entry of entries) {
    if (entry.pending) pending += 1;
    if (pending > FEW) return writeInSlices(entries, isOver);
  }
  return undefined;
}

async function writeInSlices(entries: readonly ToolEntry[], isOver: () => boolean): Promise<void> {
  let next = 0;
  while (next < entries.length && !isOver()) {
    const ends = sliceEnd();
    // Counts too: in some runtimes the clock does not advance while code runs.
    for (let count = 0; next < entries.length && count < FEW && performance.now() < ends; next++) {
      const entry = entries[next] as ToolEntry;
      if (!entry.pending) continue;
      entry.write();
      count += 1;
    }
    await nextTurn();
  }
}

/** Concurrent lists share one slice: the first is served first, and the others reuse its listings. */
function sliceEnd(): number {
  const ends = sliceEnds ?? performance.now() + SLICE_MS;
  if (sliceEnds === undefined && !isWorkerd) {
    sliceEnds = ends;
    void nextTurn().then(() => (sliceEnds = undefined));
  }
  return ends;
}
