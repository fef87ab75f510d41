import { briefJson } from '../../jsonrpc/text.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Mode } from '../../revisions/revision.ts';
import { ResultError } from '../errors.ts';
import type { FollowedRequest, ResultType } from '../extension.ts';
import { maxQuestions } from '../questions/incoming-questions.ts';

/** Answers one question of the server. */
type AnswerQuestion = (method: string, params: Params | undefined) => Promise<object>;

/** Answers the questions inside a result. Returns the params for the next round. */
async function answerInputRequests(result: Result, answer: AnswerQuestion): Promise<Params> {
  // `requestState` goes back exactly as it came, or not at all.
  const { requestState } = result;
  const inputResponses = await answerAll(result, answer);
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}

async function answerAll(result: Result, answer: AnswerQuestion): Promise<Params | undefined> {
  const { inputRequests, requestState } = result;
  if (inputRequests === undefined && requestState !== undefined) return undefined;
  if (!isObject(inputRequests)) throw new ResultError('The server requires input without input requests', result);
  const questions = Object.entries(inputRequests);
  if (questions.length > maxQuestions) {
    throw new ResultError(`The server asks more than ${maxQuestions} questions at once`, result);
  }
  const answers = await Promise.all(
    questions.map(async ([key, question]) => {
      if (!isObject(question) || typeof question.method !== 'string') {
        throw new ResultError(`The server sent an invalid question: "${key.slice(0, 80)}"`, result);
      }
      return [key, await answer(question.method, question.params as Params | undefined)];
    }),
  );
  return Object.fromEntries(answers) as Params;
}

/** How a request continues while its results are not final. */
export interface Continuation {
  readonly method: string;
  readonly outcome: Mode['outcome'];
  readonly answer: AnswerQuestion;
  /** Sends the request again with more params. */
  resend(more: Params): Promise<Result>;
  /** The extension's type of a result, if it has one. */
  extensionTypeOf(result: Result): ResultType | undefined;
  /** Lets the extension continue. Absent: the caller wants such results as they are. */
  follow?(type: ResultType, result: Result): Promise<Result>;
}

/** The maximum rounds of questions, or of an extension, within one request. */
const maxRounds = 10;

/** Resolves a result that is not final, round by round: answers questions, and lets extensions follow their types. */
export async function resolveResult(first: Result, continuation: Continuation): Promise<Result> {
  const { method, outcome, answer } = continuation;
  let result = first;
  for (let round = 0; ; round += 1) {
    const type = continuation.extensionTypeOf(result);
    if (type === undefined) {
      const kind = outcome(result);
      if (kind === 'complete') return result;
      if (kind === 'unknown') {
        throw new ResultError(`The server returned a result of an unknown type: ${typeText(result)}`, result);
      }
      if (round === maxRounds) {
        throw new ResultError(`The server still asks for input after ${maxRounds} rounds`, result);
      }
      result = await continuation.resend(await answerInputRequests(result, answer));
    } else {
      assertMethodAllowed(type, method, result);
      if (continuation.follow === undefined) return result;
      if (round === maxRounds) {
        throw new ResultError(`The server still gives no final result after ${maxRounds} rounds`, result);
      }
      result = await continuation.follow(type, result);
    }
  }
}

/** Lets an extension continue from a result of its type while the caller waits. */
export async function followResult(type: ResultType, result: Result, request: FollowedRequest): Promise<Result> {
  const { signal } = request;
  signal.throwIfAborted();
  const aborted = rejectOnAbort(signal);
  const next: unknown = await Promise.race([type.follow(result, request), aborted]);
  if (!isObject(next)) throw new TypeError(`"follow" of the result type ${typeText(result)} gave no result`);
  return next;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // Avoids an unhandled rejection if the extension fails first.
  aborted.catch(() => {});
  return aborted;
}

function assertMethodAllowed({ methods }: ResultType, method: string, result: Result): void {
  if (methods === undefined || methods.includes(method)) return;
  throw new ResultError(`The server may not answer "${method}" with a result of the type ${typeText(result)}`, result);
}

function typeText({ resultType }: Result): string {
  return briefJson(resultType);
}
