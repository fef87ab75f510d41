import { ProtocolError } from '@ccmcp/core';
import type { FormAnswer, FormQuestion, SampleAnswer, UrlAnswer, UrlQuestion } from '@ccmcp/core/client';
import type { ElicitAnswer, Question, SampleAnswer as PageSample } from '../../shared/questions.ts';
import { type EventLog, type IdGenerator, roundMs } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';
import { currentCall } from './message-tracker.ts';

/** A question without an answer. */
export interface PendingQuestion {
  readonly question: string;
  readonly method: Question['method'];
  readonly connection: string;
  /** The sender: the server, or a view of it. */
  readonly from: 'server' | 'view';
  readonly call: string | undefined;
  readonly params: Question['params'];
  /** Aborted when it is answered or withdrawn. */
  readonly over: AbortSignal;
  answer(answer: ElicitAnswer | PageSample): void;
}

/** Questions of servers that wait for the user. */
export class Questions {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #pending = new Map<string, PendingQuestion>();
  /** Called for each new question. */
  onAsked: (asked: PendingQuestion) => void = () => {};

  constructor(log: EventLog, ids: IdGenerator) {
    this.#log = log;
    this.#ids = ids;
  }

  async elicit(connection: string, params: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
    const answer = (await this.#ask(connection, 'elicitation/create', params, signal)) as ElicitAnswer;
    const { action, content } = answer;
    return action === 'accept' ? { action, content: { ...content } } : { action };
  }

  async elicitUrl(connection: string, params: UrlQuestion, signal: AbortSignal): Promise<UrlAnswer> {
    const { action } = (await this.#ask(connection, 'elicitation/create', params, signal)) as ElicitAnswer;
    return { action };
  }

  async sample(
    connection: string,
    params: object,
    signal: AbortSignal,
    from: PendingQuestion['from'] = 'server',
  ): Promise<SampleAnswer> {
    const answer = (await this.#ask(connection, 'sampling/createMessage', params, signal, from)) as PageSample;
    if ('reject' in answer) throw rejectedSampleError(answer.reject);
    return answer as unknown as SampleAnswer;
  }

  /** Answers a question on behalf of the user. */
  answer(question: string, answer: ElicitAnswer | PageSample): void {
    const pending = this.getPending(question);
    const isElicitation = 'action' in answer;
    if (isElicitation !== (pending.method === 'elicitation/create'))
      throw new RequestError('The answer does not fit the question');
    pending.answer(answer);
  }

  /** A pending question. */
  getPending(question: string): PendingQuestion {
    const waiting = this.#pending.get(question);
    if (waiting !== undefined) return waiting;
    throw new RequestError(
      'The question is no longer pending',
      'The server may have withdrawn it: check the timeline.',
      404,
    );
  }

  #ask(
    connection: string,
    method: Question['method'],
    params: object,
    signal: AbortSignal,
    from: PendingQuestion['from'] = 'server',
  ): Promise<unknown> {
    const question = this.#ids.next('q');
    const since = performance.now();
    const call = currentCall.getStore();
    this.#log.add('question', {
      question,
      connection,
      ...(call !== undefined && { call }),
      method,
      params: params as Question['params'],
    });
    const over = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (outcome: 'answered' | 'withdrawn', action?: string): void => {
        this.#pending.delete(question);
        signal.removeEventListener('abort', withdraw);
        const ms = roundMs(performance.now() - since);
        this.#log.add('question-end', { question, outcome, ms, ...(action !== undefined && { action }) });
        over.abort(new Error('The question is over'));
      };
      const withdraw = (): void => {
        end('withdrawn');
        reject(signal.reason as Error);
      };
      const waiting: PendingQuestion = {
        question,
        method,
        connection,
        from,
        call,
        params: params as Question['params'],
        over: over.signal,
        answer(answer) {
          end('answered', 'action' in answer ? answer.action : 'reject' in answer ? 'reject' : 'answer');
          resolve(answer);
        },
      };
      this.#pending.set(question, waiting);
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) withdraw();
      else this.onAsked(waiting);
    });
  }
}

/** The user rejected a sampling request. */
function rejectedSampleError(reason: string): ProtocolError {
  return new ProtocolError(rejectedByUser, reason === '' ? 'The user rejected the request' : reason);
}

/** Error code of a rejected sampling request. */
const rejectedByUser = -1;
