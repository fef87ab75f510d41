import { ProtocolError } from '@ccmcp/core';
import type { FormAnswer, FormQuestion, SampleAnswer, UrlAnswer, UrlQuestion } from '@ccmcp/core/client';
import type { ElicitAnswer, Question, SampleAnswer as PageSample } from '../../shared/questions.ts';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';
import { Refusal } from '../targets.ts';
import { inCall } from './message-tracker.ts';
import { round } from './message-tracker.ts';

/** A question that nobody has answered yet. */
export interface Waiting {
  readonly question: string;
  readonly method: Question['method'];
  readonly connection: string;
  /** Who asks: the server, or a view of it that is shown in the page. */
  readonly from: 'server' | 'view';
  readonly call: string | undefined;
  readonly params: Question['params'];
  /** Aborted when it is answered, or not asked any more. */
  readonly over: AbortSignal;
  answer(answer: ElicitAnswer | PageSample): void;
}

/** Questions of servers that wait for the person at the page. */
export class Questions {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #waiting = new Map<string, Waiting>();
  /** Told of each question that comes up. */
  onAsked: (asked: Waiting) => void = () => {};

  constructor(log: EventLog, ids: Ids) {
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
    from: Waiting['from'] = 'server',
  ): Promise<SampleAnswer> {
    const answer = (await this.#ask(connection, 'sampling/createMessage', params, signal, from)) as PageSample;
    if ('refuse' in answer) throw refusedSample(answer.refuse);
    return answer as unknown as SampleAnswer;
  }

  /** Answers a question in the name of the person. */
  answer(question: string, answer: ElicitAnswer | PageSample): void {
    const waiting = this.waiting(question);
    const isElicitation = 'action' in answer;
    if (isElicitation !== (waiting.method === 'elicitation/create'))
      throw new Refusal('This is no answer to that question');
    waiting.answer(answer);
  }

  /** A question that waits for its answer. */
  waiting(question: string): Waiting {
    const waiting = this.#waiting.get(question);
    if (waiting !== undefined) return waiting;
    throw new Refusal('Nobody waits for this answer any more', 'The server may have given up: see the timeline.', 404);
  }

  #ask(
    connection: string,
    method: Question['method'],
    params: object,
    signal: AbortSignal,
    from: Waiting['from'] = 'server',
  ): Promise<unknown> {
    const question = this.#ids.next('q');
    const since = performance.now();
    const call = inCall.getStore();
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
        this.#waiting.delete(question);
        signal.removeEventListener('abort', withdraw);
        const ms = round(performance.now() - since);
        this.#log.add('question-end', { question, outcome, ms, ...(action !== undefined && { action }) });
        over.abort(new Error('The question is over'));
      };
      const withdraw = (): void => {
        end('withdrawn');
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        question,
        method,
        connection,
        from,
        call,
        params: params as Question['params'],
        over: over.signal,
        answer(answer) {
          end('answered', 'action' in answer ? answer.action : 'refuse' in answer ? 'refuse' : 'answer');
          resolve(answer);
        },
      };
      this.#waiting.set(question, waiting);
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) withdraw();
      else this.onAsked(waiting);
    });
  }
}

/** The person wants no sample to be given: an error of the protocol with their reason. */
function refusedSample(reason: string): ProtocolError {
  return new ProtocolError(rejectedByUser, reason === '' ? 'The user rejected the request' : reason);
}

/** What clients answer where the person does not want a sample. */
const rejectedByUser = -1;
