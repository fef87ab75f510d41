import type { ModelDraft, ModelEnd } from '../../shared/questions.ts';
import { Exchanges } from '../connections/exchanges.ts';
import type { PendingQuestion, Questions } from '../connections/questions.ts';
import { type EventLog, type IdGenerator, roundMs } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';
import type { ModelAnswer } from './adapter.ts';
import { askModel } from './ask-model.ts';
import { type ModelOptions, type ModelSettings, parseModelSettings } from './settings.ts';
import { contentTokens } from '@ccmcp/core/client';

/** Model settings from the page. */
export type ModelInput = Pick<ModelOptions, 'service' | 'model' | 'url' | 'key' | 'maxTokens'>;

/** A request to a model. */
interface ModelJob {
  readonly waiting: PendingQuestion;
  readonly settings: ModelSettings;
  readonly by: 'user' | 'auto';
  readonly maxTokens: number;
}

/** Budget reservation of an automatic answer. */
interface Reservation {
  readonly budget: Budget;
  readonly estimated: number;
}

/** The model that may answer sampling requests: one at a time on request, or all of a connection automatically. Holds the key. */
export class Models {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #questions: Questions;
  /** Running requests by question. */
  readonly #running = new Map<string, AbortController>();
  /** Budgets of connections with automatic answers. */
  readonly #autoAnswers = new Map<string, Budget>();
  #settings: ModelSettings | undefined;

  constructor(
    { log, ids, questions }: { log: EventLog; ids: IdGenerator; questions: Questions },
    options?: ModelOptions,
  ) {
    this.#log = log;
    this.#ids = ids;
    this.#questions = questions;
    questions.onAsked = (asked) => {
      // Questions of a view always go to the user, as promised when the view got permission.
      if (asked.method === 'sampling/createMessage' && asked.from === 'server') this.#autoAnswer(asked);
    };
    if (options !== undefined) this.#setSettings(parseModelSettings(options));
  }

  /** Sets up the model. The previous key stays if the endpoint is the same. */
  setUp(words: ModelInput): void {
    const before = this.#settings;
    const kept = before === undefined ? {} : { timeoutMs: before.timeoutMs, maxTokens: before.known.maxTokens };
    const { known, timeoutMs, key } = parseModelSettings({ ...kept, ...words });
    const isSame = before?.known.endpoint === known.endpoint;
    const own = key ?? (isSame ? before.key : undefined);
    this.#stopAll('The model was changed: switch automatic answers on again');
    this.#setSettings({ known: { ...known, hasKey: own !== undefined }, key: own, timeoutMs });
  }

  /** Removes the model and its key, and aborts its requests. */
  forget(): void {
    this.#settings = undefined;
    this.#stopAll('The model was removed');
    this.#log.add('model', {});
  }

  /** Requests a draft for the user to review. */
  ask(question: string, model?: string): string {
    const pending = this.#questions.getPending(question);
    if (pending.method !== 'sampling/createMessage') throw new RequestError('This question is not for a model');
    const settings = this.#settings;
    if (settings === undefined) throw new RequestError('No model is set up', 'Set one up first.', 409);
    if (this.#running.has(question))
      throw new RequestError('The model is already being asked', 'Cancel it first.', 409);
    const named = model === undefined ? settings : withModel(settings, model);
    return this.#ask({ waiting: pending, settings: named, by: 'user', maxTokens: maxAnswerTokens(named, pending) });
  }

  cancel(question: string): void {
    this.#running.get(question)?.abort(new Error('Cancelled'));
  }

  /** Switches automatic answers on or off. Pending questions stay with the user. */
  setAutoAnswer(connection: string, on: boolean): void {
    if (!on) return this.#switchOff(connection);
    if (this.#settings === undefined) throw new RequestError('No model is set up', 'Set one up first.', 409);
    this.#autoAnswers.set(connection, new Budget());
    this.#logAutoAnswer(connection);
  }

  /** Ends automatic answers with the connection. */
  onDisconnect(connection: string): void {
    this.#switchOff(connection);
  }

  close(): void {
    for (const stop of this.#running.values()) stop.abort(new Error('The inspector ends'));
    this.#autoAnswers.clear();
    this.#settings = undefined;
  }

  #setSettings(settings: ModelSettings): void {
    this.#settings = settings;
    this.#log.add('model', { model: settings.known });
  }

  #stopAll(message: string): void {
    for (const stop of this.#running.values()) stop.abort(new Error(message));
    for (const connection of this.#autoAnswers.keys()) this.#switchOff(connection, message);
  }

  #switchOff(connection: string, message?: string): void {
    const budget = this.#autoAnswers.get(connection);
    if (budget === undefined) return;
    this.#autoAnswers.delete(connection);
    const { answers, tokens } = budget;
    this.#log.add('auto-answer', { connection, on: false, answers, tokens, ...(message !== undefined && { message }) });
  }

  #logAutoAnswer(connection: string, message?: string): void {
    const { answers = 0, tokens = 0 } = this.#autoAnswers.get(connection) ?? {};
    this.#log.add('auto-answer', { connection, on: true, answers, tokens, ...(message !== undefined && { message }) });
  }

  #autoAnswer(pending: PendingQuestion): void {
    const { connection, params } = pending;
    const budget = this.#autoAnswers.get(connection);
    const settings = this.#settings;
    if (budget === undefined || settings === undefined) return;
    const maxTokens = maxAnswerTokens(settings, pending);
    const estimated = contentTokens(params) + maxTokens;
    const rejected = budget.check(estimated);
    if (rejected !== undefined) {
      if (rejected.isOver) this.#switchOff(connection, rejected.message);
      else this.#logAutoAnswer(connection, `${rejected.message}: this question needs your answer`);
      return;
    }
    budget.reserve(estimated);
    this.#ask({ waiting: pending, settings, by: 'auto', maxTokens }, { budget, estimated });
  }

  /** Starts a request and returns its id; events report the outcome. */
  #ask(job: ModelJob, reservation?: Reservation): string {
    const { waiting: pending, settings, by, maxTokens } = job;
    const { question, connection, call } = pending;
    const ask = this.#ids.next('m');
    const about = { ask, question, connection, ...(call !== undefined && { call }) };
    this.#log.add('model-ask', { ...about, model: settings.known.model, by, maxTokens });
    void this.#run(ask, job, reservation);
    return ask;
  }

  async #run(ask: string, job: ModelJob, reservation: Reservation | undefined): Promise<void> {
    const { question, connection, over, answer: give } = job.waiting;
    const since = performance.now();
    const stop = new AbortController();
    const isOver = (): void => stop.abort(over.reason);
    over.addEventListener('abort', isOver, { once: true });
    this.#running.set(question, stop);
    const { answer, ...end } = await this.#answer(job, stop.signal);
    this.#running.delete(question);
    over.removeEventListener('abort', isOver);
    this.#log.add('model-end', { ask, question, ms: roundMs(performance.now() - since), ...end });
    if (reservation === undefined) return;
    const { budget, estimated } = reservation;
    const used = answer?.usage && answer.usage.input + answer.usage.output;
    budget.settle(estimated, used, answer !== undefined);
    if (this.#autoAnswers.get(connection) === budget) this.#logAutoAnswer(connection);
    if (answer !== undefined && !over.aborted) give(answer.draft);
  }

  /** Asks the model. On failure the question stays with the user. */
  async #answer(
    { waiting: pending, settings, by, maxTokens }: ModelJob,
    signal: AbortSignal,
  ): Promise<Pick<ModelEnd, 'outcome' | 'draft' | 'usage' | 'error'> & { answer?: ModelAnswer }> {
    const { question, connection, call, params } = pending;
    const owner = { connection, question, ...(call !== undefined && { call }) };
    const { tap } = new Exchanges(this.#log, this.#ids, { owner });
    try {
      const { model, endpoint } = settings.known;
      const prompt = { params, model, maxTokens, endpoint };
      const answer = await askModel({ settings, prompt, signal, tap });
      if (signal.aborted) return { outcome: 'cancelled' };
      const { draft, usage } = answer;
      const shown: { draft?: ModelDraft } = by === 'user' ? { draft } : {};
      return { outcome: by === 'user' ? 'drafted' : 'sent', ...shown, ...(usage && { usage }), answer };
    } catch (error) {
      if (signal.aborted) return { outcome: 'cancelled' };
      const { message, advice } = error as RequestError;
      return { outcome: 'failed', error: { message, ...(advice !== undefined && { advice }) } };
    }
  }
}

/** Token limit of an answer: the server's, capped by the settings. */
function maxAnswerTokens({ known }: ModelSettings, { params }: PendingQuestion): number {
  const { maxTokens: wanted } = params;
  return typeof wanted === 'number' && wanted >= 1 ? Math.min(Math.floor(wanted), known.maxTokens) : known.maxTokens;
}

function withModel({ known, key, timeoutMs }: ModelSettings, model: string): ModelSettings {
  const { service, url, maxTokens } = known;
  return parseModelSettings({ service, url, maxTokens, timeoutMs, model, ...(key !== undefined && { key }) });
}

/** Automatic answers per connection and minute; further questions wait for the user. */
const maxAnswersPerMinute = 10;
/** Token budget of automatic answers per connection; when it is spent, they are switched off. */
const maxTokens = 100_000;
const minute = 60_000;

/** Budget of automatic answers of one connection, since they were switched on. */
class Budget {
  answers = 0;
  tokens = 0;
  #recent: number[] = [];

  /** Why another answer is not allowed; `isOver`: permanently. */
  check(tokens: number): { message: string; isOver: boolean } | undefined {
    if (this.tokens + tokens > maxTokens) {
      return {
        message: `Another answer would cost more than the ${maxTokens} tokens allowed for automatic answers`,
        isOver: true,
      };
    }
    const since = performance.now() - minute;
    this.#recent = this.#recent.filter((at) => at > since);
    if (this.#recent.length < maxAnswersPerMinute) return undefined;
    return {
      message: `The model has answered ${maxAnswersPerMinute} questions automatically within a minute`,
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
