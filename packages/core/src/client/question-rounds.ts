import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
import { ResultError } from './errors.ts';

/** What the rounds of one request need: how questions are answered, and how the request is sent again. */
export interface QuestionRounds {
  readonly outcome: (result: Result) => 'complete' | 'input_required' | 'unknown';
  readonly answer: (method: string, params: Params | undefined) => Promise<object>;
  readonly again: (more: Params) => Promise<Result>;
}

const mostRounds = 10;

/** Answers what a server asks inside its results, round after round, until it gives the result itself. */
export async function answerRounds(first: Result, { outcome, answer, again }: QuestionRounds): Promise<Result> {
  let result = first;
  for (let round = 0; round <= mostRounds; round += 1) {
    const kind = outcome(result);
    if (kind === 'complete') return result;
    if (kind === 'unknown') {
      throw new ResultError(`The server gave a result of a type that is not known: ${typeText(result)}`, result);
    }
    // State that is absent must stay so, and state that is there goes back as it came.
    const { requestState } = result;
    const inputResponses = await answerAll(result, answer);
    result = await again({
      ...(inputResponses !== undefined && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    });
  }
  throw new ResultError(`The server still asks for input after ${mostRounds} rounds`, result);
}

async function answerAll(result: Result, answer: QuestionRounds['answer']): Promise<Params | undefined> {
  const { inputRequests, requestState } = result;
  if (inputRequests === undefined && requestState !== undefined) return undefined;
  if (!isObject(inputRequests)) throw new ResultError('The server wants input without saying which', result);
  const answers = await Promise.all(
    Object.entries(inputRequests).map(async ([key, question]) => {
      if (!isObject(question) || typeof question.method !== 'string') {
        throw new ResultError(`The server asks something that is no question: "${key.slice(0, 80)}"`, result);
      }
      return [key, await answer(question.method, question.params as Params | undefined)];
    }),
  );
  return Object.fromEntries(answers) as Params;
}

function typeText({ resultType }: Result): string {
  return JSON.stringify(resultType).slice(0, 80);
}
