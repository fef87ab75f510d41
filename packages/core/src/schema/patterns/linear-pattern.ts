import type { Automaton, Step } from './automaton.ts';
import { Condition } from './parse.ts';

/** The maximum cached transitions. */
const maxCachedMoves = 5000;

/** A state of the search: the positions that the last character can have. */
interface SearchState {
  readonly positions: readonly number[];
  readonly atStart: boolean;
  readonly afterWord: boolean;
  /** Cached transitions by character code. */
  readonly moves: Map<number, SearchState>;
}

const matched: SearchState = { positions: [], atStart: false, afterWord: false, moves: new Map() };
const failed: SearchState = { positions: [], atStart: false, afterWord: false, moves: new Map() };

/**
 * A linear-time matcher: it simulates all paths through the expression at once instead of backtracking. Replaces a
 * `RegExp`, but only supports `test`.
 */
export class LinearPattern extends RegExp {
  readonly #text: string;
  readonly #automaton: Automaton;
  readonly #states = new Map<string, SearchState>();
  #cachedMoves = 0;

  constructor(text: string, automaton: Automaton) {
    super(text, 'u');
    this.#text = text;
    this.#automaton = automaton;
  }

  override test(text: string): boolean {
    let state = this.#state([], { atStart: true, afterWord: false });
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at) as number;
      if (code > 0xffff) at += 1;
      state = state.moves.get(code) ?? this.#move(state, code);
      if (state === matched) return true;
      if (state === failed) return false;
    }
    return this.#isEnd(state, { isEnd: true, boundary: state.afterWord });
  }

  /** The source text. */
  override toString(): string {
    return this.#text;
  }

  #move(state: SearchState, code: number): SearchState {
    const next = this.#next(state, code);
    this.#cachedMoves += 1 + next.positions.length;
    if (this.#cachedMoves > maxCachedMoves) {
      this.#states.clear();
      this.#cachedMoves = 0;
    }
    state.moves.set(code, next);
    return next;
  }

  #next(state: SearchState, code: number): SearchState {
    const isWordNow = isWord(code);
    const boundary = isWordNow !== state.afterWord;
    if (this.#isEnd(state, { isEnd: false, boundary })) return matched;
    const { sets, first, next, anchored } = this.#automaton;
    const here = (state.atStart ? Condition.start : 0) | (boundary ? Condition.boundary : Condition.noBoundary);
    const reached = new Set<number>();
    const follow = (steps: readonly Step[]): void => {
      for (const { to, when } of steps) if ((when & here) === when && sets[to]?.has(code) === true) reached.add(to);
    };
    for (const position of state.positions) follow(next[position] as readonly Step[]);
    follow(first);
    if (reached.size === 0 && anchored) return failed;
    return this.#state([...reached].sort(compareNumbers), { atStart: false, afterWord: isWordNow });
  }

  #isEnd(state: SearchState, { isEnd, boundary }: { isEnd: boolean; boundary: boolean }): boolean {
    const { ends, empty } = this.#automaton;
    const here =
      (state.atStart ? Condition.start : 0) |
      (isEnd ? Condition.end : 0) |
      (boundary ? Condition.boundary : Condition.noBoundary);
    const holds = (when: number): boolean => (when & here) === when;
    return empty.some(holds) || state.positions.some((position) => ends[position]?.some(holds));
  }

  #state(
    positions: readonly number[],
    { atStart, afterWord }: Pick<SearchState, 'atStart' | 'afterWord'>,
  ): SearchState {
    const key = `${atStart ? '^' : ''}${afterWord ? 'w' : ''}${positions.join()}`;
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { positions, atStart, afterWord, moves: new Map() };
      this.#states.set(key, state);
    }
    return state;
  }
}

function compareNumbers(one: number, other: number): number {
  return one - other;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}
