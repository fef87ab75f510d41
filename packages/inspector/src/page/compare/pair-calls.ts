import { commonPlaces, type Place } from '../diff/lcs.ts';
import type { SessionCall } from './session.ts';

/** Two calls that are compared with each other, or one that has no counterpart. */
export interface Pair {
  readonly before?: SessionCall | undefined;
  readonly after?: SessionCall | undefined;
  /** They were made in another order. */
  readonly isMoved?: boolean;
}

/** The calls of two sessions, paired. */
export interface Pairing {
  /** In the order of the second session; those that only the first has stand where they were. */
  readonly pairs: readonly Pair[];
  /** True where the sessions differ too much to find the best pairing: calls are paired in turn. */
  readonly isRough: boolean;
}

/** So many calls may be only in one session for the best pairing to be looked for. */
export const mostDifferences = 1000;

/** Pairs calls: the same with the same arguments in order, then the same with others between those, then what has moved. */
export function pairCalls(
  before: readonly SessionCall[],
  after: readonly SessionCall[],
  most: number = mostDifferences,
): Pairing {
  const anchors = commonPlaces(before.map(nameSame), after.map(nameSame), most);
  const pairing = new Counterparts(before, after);
  if (anchors === undefined) {
    pairing.inTurn(nameSame);
    pairing.inTurn(nameAlike);
  } else {
    pairing.take(anchors);
    for (const [left, right] of gapsOf(anchors, before.length, after.length)) {
      const [firstLeft, firstRight] = [left[0], right[0]];
      const inGap =
        commonPlaces(before.slice(...left).map(nameAlike), after.slice(...right).map(nameAlike), most) ?? [];
      pairing.take(inGap.map(([one, other]): Place => [one + firstLeft, other + firstRight]));
    }
    pairing.inTurn(nameSame);
  }
  return { pairs: pairing.inOrder(), isRough: anchors === undefined };
}

const nameSame = ({ same }: SessionCall): string => same;
const nameAlike = ({ alike }: SessionCall): string => alike;

type Span = readonly [start: number, end: number];

/** What lies between places that go together. */
function gapsOf(anchors: readonly Place[], left: number, right: number): readonly (readonly [Span, Span])[] {
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

/** Which call of the one session goes with which of the other. */
class Counterparts {
  readonly #before: readonly SessionCall[];
  readonly #after: readonly SessionCall[];
  readonly #ofBefore = new Map<number, number>();
  readonly #ofAfter = new Map<number, number>();
  readonly #moved = new Set<number>();

  constructor(before: readonly SessionCall[], after: readonly SessionCall[]) {
    this.#before = before;
    this.#after = after;
  }

  take(places: readonly Place[]): void {
    for (const [left, right] of places) {
      this.#ofBefore.set(left, right);
      this.#ofAfter.set(right, left);
    }
  }

  /** Pairs what is left by a name: the first with the first, and so on. */
  inTurn(nameOf: (call: SessionCall) => string): void {
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
      this.take([[left, right]]);
      this.#moved.add(right);
    }
  }

  inOrder(): readonly Pair[] {
    // What only the first session has follows what it followed there.
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
