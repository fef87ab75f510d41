import type { HeapInfo } from 'node:v8';
import { builtIn, hasNode } from '../../../../runtime/kind.ts';
import { limits } from '../../../../limits.ts';

const mark = limits.http.heapMark.value / 100;

const mebi = 1024 * 1024;

/** Requests share one look at the heap, which costs about a microsecond: one for each so much of room, where it is much. */
const roomPerRequest = 16 * mebi;
const muchRoom = 256 * mebi;
const mostPerLook = 128;

/** The part of node's limit that only young objects may use: for the others there is less. */
const young = 48 * mebi;

/** How much of the heap is used, and how much may be, in bytes. */
export interface HeapUse {
  used: number;
  limit: number;
}

let statistics: (() => HeapInfo) | undefined = builtIn('node:v8')?.getHeapStatistics;

/** Where it takes waiting, nothing is said of the heap until then. */
async function prepare(): Promise<void> {
  if (hasNode) statistics ??= (await import('node:v8')).getHeapStatistics;
}

/** A runtime that says nothing of its heap ends what takes too much by itself. */
function heapUse(): HeapUse {
  if (statistics === undefined) return { used: 0, limit: Number.POSITIVE_INFINITY };
  const { used_heap_size: used, heap_size_limit: limit } = statistics();
  return { used, limit: Math.max(limit - young, limit / 2) };
}

/**
 * Says when the heap is so full that the process would end before long, so that requests are better refused. Garbage is
 * counted too: it is collected before it alone could fill the heap so far.
 */
export class HeapMark {
  #countdown = 1;
  readonly #use: () => HeapUse;

  constructor(use: () => HeapUse = heapUse) {
    this.#use = use;
    if (statistics === undefined) void prepare();
  }

  /** True above the mark. To be asked once for each request. */
  get above(): boolean {
    this.#countdown -= 1;
    if (this.#countdown > 0) return false;
    const { used, limit } = this.#use();
    const room = limit - used;
    this.#countdown = room > muchRoom ? Math.min(Math.floor(room / roomPerRequest), mostPerLook) : 1;
    return used > limit * mark;
  }
}
