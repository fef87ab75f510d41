import { inWorkers } from '../../runtime/kind.ts';
import { nextTurn } from '../../runtime/timers.ts';
import type { ToolEntry } from '../define/tool-entry.ts';

/** So many are written at once: it takes a few milliseconds. */
const FEW = 64;

/** How long others wait for one slice of the work. */
const SLICE_MS = 4;

/** When the slice of this turn ends, for all who have something written. */
let sliceEnds: number | undefined;

/**
 * Has the listings of tools written whose schemas are of a library, which may take a second for thousands of them. Undefined
 * where that is done, or quickly done when they are read; else it is done in slices, while others are served, until
 * `isOver`. One that can't be written is left to whoever reads it.
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
    // Counted too: there are runtimes whose clock stands still while a program runs.
    for (let count = 0; next < entries.length && count < FEW && performance.now() < ends; next++) {
      const entry = entries[next] as ToolEntry;
      if (!entry.pending) continue;
      entry.write();
      count += 1;
    }
    await nextTurn();
  }
}

/** Several lists at a time share one slice: the first is served first, and what it has written is there for the others. */
function sliceEnd(): number {
  const ends = sliceEnds ?? performance.now() + SLICE_MS;
  if (sliceEnds === undefined && !inWorkers) {
    sliceEnds = ends;
    void nextTurn().then(() => (sliceEnds = undefined));
  }
  return ends;
}
