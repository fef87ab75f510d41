import { limits } from '@ccmcp/core';
import { textTokens } from '@ccmcp/core/client';

/** What a picture or a sound costs a model, about. */
const ofBytes = 2000;

/** What a model is asked costs it, about: a quarter of the bytes, and pictures and sounds by their number. */
export function questionTokens(params: Readonly<Record<string, unknown>>): number {
  let others = 0;
  const text = JSON.stringify(params, (name, value: unknown) => {
    if (name !== 'data' || typeof value !== 'string') return value;
    others += ofBytes;
    return '';
  });
  return textTokens(text) + others;
}

const mostAnswers = limits.inspector.modelAnswersByItself.value;
const mostTokens = limits.inspector.modelTokensByItself.value;
const minute = 60_000;

/** What answers that nobody looks at may cost, for one connection since they were switched on. */
export class Budget {
  answers = 0;
  tokens = 0;
  #recent: number[] = [];

  /** Says why there may not be another answer that costs about so much now; `isOver`: nor will there be later. */
  refuses(tokens: number): { says: string; isOver: boolean } | undefined {
    if (this.tokens + tokens > mostTokens) {
      return {
        says: `Another answer would cost more than the ${mostTokens} tokens that the model may use by itself`,
        isOver: true,
      };
    }
    const since = performance.now() - minute;
    this.#recent = this.#recent.filter((at) => at > since);
    if (this.#recent.length < mostAnswers) return undefined;
    return { says: `The model has answered ${mostAnswers} questions by itself within a minute`, isOver: false };
  }

  /** Counts an answer that is asked for, with what it costs at most. */
  begin(tokens: number): void {
    this.#recent.push(performance.now());
    this.tokens += tokens;
  }

  /** Counts what it did cost instead. */
  end(estimated: number, used: number | undefined, isAnswered: boolean): void {
    if (used !== undefined) this.tokens += Math.max(0, used) - estimated;
    if (isAnswered) this.answers += 1;
  }
}
