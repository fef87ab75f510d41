import { limits } from '@ccmcp/core';
import { textTokens } from '@ccmcp/core/client';

/** Estimated tokens of an image or audio clip. */
const mediaTokens = 2000;

/** Estimates the tokens of a request: a quarter of the bytes, plus a fixed cost per image or audio clip. */
export function estimateTokens(params: Readonly<Record<string, unknown>>): number {
  let others = 0;
  const text = JSON.stringify(params, (name, value: unknown) => {
    if (name !== 'data' || typeof value !== 'string') return value;
    others += mediaTokens;
    return '';
  });
  return textTokens(text) + others;
}

const maxAnswersPerMinute = limits.inspector.modelAnswersByItself.value;
const maxTokens = limits.inspector.modelTokensByItself.value;
const minute = 60_000;

/** Budget of automatic answers of one connection, since they were switched on. */
export class Budget {
  answers = 0;
  tokens = 0;
  #recent: number[] = [];

  /** Why another answer is not allowed; `isOver`: permanently. */
  check(tokens: number): { says: string; isOver: boolean } | undefined {
    if (this.tokens + tokens > maxTokens) {
      return {
        says: `Another answer would cost more than the ${maxTokens} tokens allowed for automatic answers`,
        isOver: true,
      };
    }
    const since = performance.now() - minute;
    this.#recent = this.#recent.filter((at) => at > since);
    if (this.#recent.length < maxAnswersPerMinute) return undefined;
    return {
      says: `The model has answered ${maxAnswersPerMinute} questions automatically within a minute`,
      isOver: false,
    };
  }

  /** Reserves the maximum cost of an answer. */
  reserve(tokens: number): void {
    this.#recent.push(performance.now());
    this.tokens += tokens;
  }

  /** Replaces the reservation by the actual cost. */
  settle(estimated: number, used: number | undefined, isAnswered: boolean): void {
    if (used !== undefined) this.tokens += Math.max(0, used) - estimated;
    if (isAnswered) this.answers += 1;
  }
}
