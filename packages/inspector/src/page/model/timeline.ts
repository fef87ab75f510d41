import type { InspectorEvent } from '../../shared/events.ts';

/** Events that have a row in the timeline. */
export type TimelineEvent = InspectorEvent<
  'message' | 'http-request' | 'output' | 'warning' | 'span' | 'change' | 'task'
>;

/** The retained events of the timeline, in order. */
export class Timeline {
  /** Replaced when a connection is removed. */
  events: TimelineEvent[] = [];
  /** Number of events dropped so far. */
  droppedCount = 0;
  /** Number of the first event that was not dropped. */
  firstRetained = 1;
  /** Number of the response by number of its request. */
  readonly responses = new Map<number, number>();

  add(event: TimelineEvent): void {
    if (event.type === 'message' && event.answers !== undefined) this.responses.set(event.answers, event.n);
    this.events.push(event);
  }

  /** Number of events with a number up to `n`. */
  countUpTo(n: number): number {
    return countEventsUpTo(this.events, n);
  }

  dropBefore(before: number): void {
    this.firstRetained = before;
    const count = this.countUpTo(before - 1);
    this.events.splice(0, count);
    this.droppedCount += count;
    for (const [request, response] of this.responses) if (response < before) this.responses.delete(request);
  }

  removeConnection(connection: string): void {
    this.events = this.events.filter((event) => !('connection' in event) || event.connection !== connection);
  }
}

/** Binary search: number of events with a number up to `n`. */
export function countEventsUpTo(events: readonly TimelineEvent[], n: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as TimelineEvent).n <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
