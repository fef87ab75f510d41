import type { HeapInfo } from 'node:v8';
import type { Parsed, Request } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';
import { builtIn, hasNode } from '../../../../runtime/kind.ts';
import type { HttpResponder } from '../bindings/binding.ts';
import type { SlowConsumers } from '../bindings/slow-consumers.ts';

/** The message that is to be served, and its client. */
interface Load {
  readonly responder: HttpResponder;
  readonly message: Parsed | undefined;
}

/** Says when a handler has too little memory for another request. */
export class MemoryPressure {
  readonly slowConsumers: SlowConsumers;
  readonly longResponses = new LongResponses();
  readonly #heap: HeapMonitor;

  constructor(slowConsumers: SlowConsumers, heap: HeapMonitor = new HeapMonitor()) {
    this.slowConsumers = slowConsumers;
    this.#heap = heap;
  }

  /**
   * Why there is no memory for a request; undefined if there is. To be called once per request. Backpressure by some
   * clients rejects only those that don't read either, and requests that are known to have long responses.
   */
  shortage(load: Load, methods: MethodTable): string | undefined {
    const { slowConsumers } = this;
    const isShort = slowConsumers.watched.size > 0 && slowConsumers.backpressured;
    if (isShort && (load.responder.backpressured || this.#isLong(load, methods))) {
      return 'too many answers wait for their clients to read them';
    }
    return this.#heap.isFull() ? 'memory is short' : undefined;
  }

  #isLong({ message }: Load, methods: MethodTable): boolean {
    if (message?.kind === 'request') return this.longResponses.has(message.message, methods);
    if (message?.kind !== 'batch') return false;
    return message.items.some((item) => item.kind === 'request' && this.longResponses.has(item.message, methods));
  }
}

/** Maximum number of remembered requests; the oldest are evicted. */
const maxRemembered = 1000;

/** Remembers which requests had long responses. */
export class LongResponses {
  readonly #subjects = new Set<string>();

  add(request: Request, methods: MethodTable): void {
    this.#subjects.add(subjectOf(request, methods));
    if (this.#subjects.size > maxRemembered) this.#subjects.delete(this.#subjects.values().next().value as string);
  }

  /** True for a request like one that had a long response. */
  has(request: Request, methods: MethodTable): boolean {
    return this.#subjects.has(subjectOf(request, methods));
  }
}

/** The method of a request, and the tool or resource that it names. */
function subjectOf({ method, params }: Request, methods: MethodTable): string {
  const { mirrors } = methods.of(method);
  const name = mirrors === undefined ? undefined : params?.[mirrors];
  return typeof name === 'string' ? `${method} ${name.slice(0, 200)}` : method;
}

/** The part of the heap above which requests are rejected. */
const fullAt = 0.85;

const mebi = 1024 * 1024;

/** Reading the heap statistics costs about a microsecond: with much free memory, requests share one reading. */
const freePerRequest = 16 * mebi;
const muchFree = 256 * mebi;
const maxPerReading = 128;

/** The part of node's limit that only young objects may use. */
const youngGeneration = 48 * mebi;

/** Used and available heap, in bytes. */
export interface HeapUse {
  used: number;
  limit: number;
}

let statistics: (() => HeapInfo) | undefined = builtIn('node:v8')?.getHeapStatistics;

/** Until the module is loaded, the heap counts as empty. */
async function loadStatistics(): Promise<void> {
  if (hasNode) statistics ??= (await import('node:v8')).getHeapStatistics;
}

/** A runtime without heap statistics limits memory itself. */
function heapUse(): HeapUse {
  if (statistics === undefined) return { used: 0, limit: Number.POSITIVE_INFINITY };
  const { used_heap_size: used, heap_size_limit: limit } = statistics();
  return { used, limit: Math.max(limit - youngGeneration, limit / 2) };
}

/** Says when the heap is almost full. Garbage counts too: it is collected before it alone could fill the heap so far. */
export class HeapMonitor {
  #countdown = 1;
  readonly #use: () => HeapUse;

  constructor(use: () => HeapUse = heapUse) {
    this.#use = use;
    if (statistics === undefined) void loadStatistics();
  }

  /** To be called once per request. */
  isFull(): boolean {
    this.#countdown -= 1;
    if (this.#countdown > 0) return false;
    const { used, limit } = this.#use();
    const free = limit - used;
    this.#countdown = free > muchFree ? Math.min(Math.floor(free / freePerRequest), maxPerReading) : 1;
    return used > limit * fullAt;
  }
}
