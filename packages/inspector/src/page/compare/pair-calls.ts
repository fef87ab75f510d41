import { longestCommonSubsequence, type IndexPair } from '../diff/diff.ts';
import type { SessionCall } from './session.ts';

/** Two calls to compare, or one without a counterpart. */
export interface Pair {
  readonly before?: SessionCall | undefined;
  readonly after?: SessionCall | undefined;
  /** The sessions made them in a different order. */
  readonly isMoved?: boolean;
}

/** The calls of two sessions, paired. */
export interface Pairing {
  /** In the order of the second session; calls of the first only keep their relative position. */
  readonly pairs: readonly Pair[];
  /** True if the sessions differ too much for the best pairing: calls are paired in order. */
  readonly isRough: boolean;
}

/** With more unpaired calls than this the best pairing is not searched for. */
export const maxUnpaired = 1000;

/** Pairs calls: equal calls in order, then calls of the same subject in the gaps, then calls that moved. */
export function pairCalls(
  before: readonly SessionCall[],
  after: readonly SessionCall[],
  most: number = maxUnpaired,
): Pairing {
  const anchors = longestCommonSubsequence(before.map(exactKeyOf), after.map(exactKeyOf), most);
  const pairing = new CallMatcher(before, after);
  if (anchors === undefined) {
    pairing.matchInOrder(exactKeyOf);
    pairing.matchInOrder(subjectKeyOf);
  } else {
    pairing.addPairs(anchors);
    for (const [left, right] of findGaps(anchors, before.length, after.length)) {
      const [firstLeft, firstRight] = [left[0], right[0]];
      const inGap =
        longestCommonSubsequence(
          before.slice(...left).map(subjectKeyOf),
          after.slice(...right).map(subjectKeyOf),
          most,
        ) ?? [];
      pairing.addPairs(inGap.map(([one, other]): IndexPair => [one + firstLeft, other + firstRight]));
    }
    pairing.matchInOrder(exactKeyOf);
  }
  return { pairs: pairing.toPairs(), isRough: anchors === undefined };
}

const exactKeyOf = ({ exactKey }: SessionCall): string => exactKey;
const subjectKeyOf = ({ subjectKey }: SessionCall): string => subjectKey;

type Span = readonly [start: number, end: number];

/** The gaps between anchors. */
function findGaps(anchors: readonly IndexPair[], left: number, right: number): readonly (readonly [Span, Span])[] {
  const gaps: (readonly [Span, Span])[] = [];
  let [x, y] = [0, 0];
  for (const [one, other] of [...anchors, [left, right] as const]) {
    if (one > x && other > y)
      gaps.push([
        [x, one],
        [y, other],
      ]);
    [x, y] = [one + 1, other + 1];
  }
  return gaps;
}

/** Maps calls of one session to calls of the other. */
class CallMatcher {
  readonly #before: readonly SessionCall[];
  readonly #after: readonly SessionCall[];
  readonly #ofBefore = new Map<number, number>();
  readonly #ofAfter = new Map<number, number>();
  readonly #moved = new Set<number>();

  constructor(before: readonly SessionCall[], after: readonly SessionCall[]) {
    this.#before = before;
    this.#after = after;
  }

  addPairs(pairs: readonly IndexPair[]): void {
    for (const [left, right] of pairs) {
      this.#ofBefore.set(left, right);
      this.#ofAfter.set(right, left);
    }
  }

  /** Pairs the remaining calls by key, first with first. */
  matchInOrder(nameOf: (call: SessionCall) => string): void {
    const waiting = new Map<string, number[]>();
    for (const [at, call] of this.#before.entries()) {
      if (this.#ofBefore.has(at)) continue;
      const name = nameOf(call);
      const known = waiting.get(name);
      if (known === undefined) waiting.set(name, [at]);
      else known.push(at);
    }
    for (const list of waiting.values()) list.reverse();
    for (const [right, call] of this.#after.entries()) {
      if (this.#ofAfter.has(right)) continue;
      const left = waiting.get(nameOf(call))?.pop();
      if (left === undefined) continue;
      this.addPairs([[left, right]]);
      this.#moved.add(right);
    }
  }

  toPairs(): readonly Pair[] {
    // Calls that only the first session has follow their predecessor there.
    const following = new Map<number, SessionCall[]>();
    let last = -1;
    for (const [at, call] of this.#before.entries()) {
      const right = this.#ofBefore.get(at);
      if (right === undefined) following.set(last, [...(following.get(last) ?? []), call]);
      else if (!this.#moved.has(right)) last = right;
    }
    const onlyBefore = (at: number): Pair[] => (following.get(at) ?? []).map((before) => ({ before }));
    return [
      ...onlyBefore(-1),
      ...this.#after.flatMap((after, at): Pair[] => {
        const left = this.#ofAfter.get(at);
        const before = left === undefined ? undefined : this.#before[left];
        return [{ before, after, ...(this.#moved.has(at) && { isMoved: true }) }, ...onlyBefore(at)];
      }),
    ];
  }
}
