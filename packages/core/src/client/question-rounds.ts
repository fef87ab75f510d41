import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
import { ResultError } from './errors.ts';

/** Answers one question of the server. */
export type AnswerOne = (method: string, params: Params | undefined) => Promise<object>;

/** Answers the questions inside a result: gives the params that the request is sent again with. */
export async function answerRound(result: Result, answer: AnswerOne): Promise<Params> {
  // State that is absent must stay so, and state that is there goes back as it came.
  const { requestState } = result;
  const inputResponses = await answerAll(result, answer);
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}

async function answerAll(result: Result, answer: AnswerOne): Promise<Params | undefined> {
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
