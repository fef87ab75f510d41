import { limits } from '../../limits.ts';
import type { Automaton, Step } from './automaton.ts';
import { Condition } from './parse.ts';

const mostKept = limits.schema.keptMoves.value;

/** Where a search stands between two characters: at the positions that the last one can be. */
interface Place {
  readonly positions: readonly number[];
  readonly atStart: boolean;
  readonly afterWord: boolean;
  /** Where the next character leads, by its code, as far as that was found out. */
  readonly moves: Map<number, Place>;
}

const found: Place = { positions: [], atStart: false, afterWord: false, moves: new Map() };
const lost: Place = { positions: [], atStart: false, afterWord: false, moves: new Map() };

/**
 * A regular expression that looks at each character of a text once, whatever the text: it follows all ways through the
 * expression at a time, where `RegExp` tries one after the other. It can only test, and takes the place of a `RegExp` there.
 */
export class LinearPattern extends RegExp {
  readonly #text: string;
  readonly #automaton: Automaton;
  readonly #places = new Map<string, Place>();
  #kept = 0;

  constructor(text: string, automaton: Automaton) {
    super(text, 'u');
    this.#text = text;
    this.#automaton = automaton;
  }

  override test(text: string): boolean {
    let place = this.#place([], { atStart: true, afterWord: false });
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at) as number;
      if (code > 0xffff) at += 1;
      place = place.moves.get(code) ?? this.#move(place, code);
      if (place === found) return true;
      if (place === lost) return false;
    }
    return this.#isEnd(place, { isEnd: true, boundary: place.afterWord });
  }

  /** The text as it was given. */
  override toString(): string {
    return this.#text;
  }

  #move(place: Place, code: number): Place {
    const next = this.#next(place, code);
    this.#kept += 1 + next.positions.length;
    if (this.#kept > mostKept) {
      this.#places.clear();
      this.#kept = 0;
    }
    place.moves.set(code, next);
    return next;
  }

  #next(place: Place, code: number): Place {
    const isWordNow = isWord(code);
    const boundary = isWordNow !== place.afterWord;
    if (this.#isEnd(place, { isEnd: false, boundary })) return found;
    const { sets, first, next, anchored } = this.#automaton;
    const here = (place.atStart ? Condition.start : 0) | (boundary ? Condition.boundary : Condition.noBoundary);
    const reached = new Set<number>();
    const follow = (steps: readonly Step[]): void => {
      for (const { to, when } of steps) if ((when & here) === when && sets[to]?.has(code) === true) reached.add(to);
    };
    for (const position of place.positions) follow(next[position] as readonly Step[]);
    follow(first);
    if (reached.size === 0 && anchored) return lost;
    return this.#place([...reached].sort(byNumber), { atStart: false, afterWord: isWordNow });
  }

  #isEnd(place: Place, { isEnd, boundary }: { isEnd: boolean; boundary: boolean }): boolean {
    const { ends, empty } = this.#automaton;
    const here =
      (place.atStart ? Condition.start : 0) |
      (isEnd ? Condition.end : 0) |
      (boundary ? Condition.boundary : Condition.noBoundary);
    const holds = (when: number): boolean => (when & here) === when;
    return empty.some(holds) || place.positions.some((position) => ends[position]?.some(holds));
  }

  #place(positions: readonly number[], { atStart, afterWord }: Pick<Place, 'atStart' | 'afterWord'>): Place {
    const key = `${atStart ? '^' : ''}${afterWord ? 'w' : ''}${positions.join()}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = { positions, atStart, afterWord, moves: new Map() };
      this.#places.set(key, place);
    }
    return place;
  }
}

function byNumber(one: number, other: number): number {
  return one - other;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}
