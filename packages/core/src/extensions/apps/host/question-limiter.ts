import { pageLimits as limits } from '../../../page-limits.ts';
import { deniedError } from './app-error.ts';

/** Limits the questions of a view to a person: a maximum at a time, and a pause after a refusal. */
export class QuestionLimiter {
  #open = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;

  async run(question: () => Promise<object>): Promise<object> {
    if (performance.now() - this.#refusedAt < limits.appHost.refusedMs.value)
      throw deniedError('The person has just declined: ask again later');
    if (this.#open >= limits.appHost.questions.value) throw deniedError('Too many questions are open already');
    this.#open += 1;
    try {
      const answer: { isError?: boolean } = await question();
      if (answer.isError === true) this.#refusedAt = performance.now();
      return answer;
    } finally {
      this.#open -= 1;
    }
  }
}
