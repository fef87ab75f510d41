import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { limits } from '../../limits.ts';
import { ResultError } from '../errors.ts';

const mostQuestions = limits.client.questions.value;

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
  const questions = Object.entries(inputRequests);
  if (questions.length > mostQuestions) {
    throw new ResultError(`The server asks more than ${mostQuestions} questions at once`, result);
  }
  const answers = await Promise.all(
    questions.map(async ([key, question]) => {
      if (!isObject(question) || typeof question.method !== 'string') {
        throw new ResultError(`The server asks something that is no question: "${key.slice(0, 80)}"`, result);
      }
      return [key, await answer(question.method, question.params as Params | undefined)];
    }),
  );
  return Object.fromEntries(answers) as Params;
}
