import type { ModelDraft, ModelEnd } from '../../shared/models.ts';
import { Exchanges } from '../connections/exchanges.ts';
import type { Questions, Waiting } from '../connections/questions.ts';
import { round } from '../connections/message-tracker.ts';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';
import { Refusal } from '../targets.ts';
import { Budget } from './budget.ts';
import { questionTokens } from './budget.ts';
import { askModel } from './ask-model.ts';
import { type ModelOptions, modelSettings, type ModelSettings } from './settings.ts';
import type { ModelAnswer } from './adapter.ts';

/** What a person says of a model at the page. */
export type ModelWords = Pick<ModelOptions, 'service' | 'model' | 'url' | 'key' | 'maxTokens'>;

/** What is needed to ask a model. */
interface Asking {
  readonly waiting: Waiting;
  readonly settings: ModelSettings;
  readonly by: 'person' | 'itself';
  readonly maxTokens: number;
}

/** What an answer may cost that nobody looks at. */
interface Spending {
  readonly budget: Budget;
  readonly estimated: number;
}

/**
 * The model that may answer what servers ask: whoever runs the inspector sets it up, and it is asked when a person wants it, for one
 * question or for all of a connection. The key stays in here.
 */
export class Models {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #questions: Questions;
  /** What is being asked, by question. */
  readonly #running = new Map<string, AbortController>();
  /** Connections whose questions the model answers by itself. */
  readonly #byItself = new Map<string, Budget>();
  #settings: ModelSettings | undefined;

  constructor({ log, ids, questions }: { log: EventLog; ids: Ids; questions: Questions }, options?: ModelOptions) {
    this.#log = log;
    this.#ids = ids;
    this.#questions = questions;
    questions.onAsked = (asked) => {
      // What a view asks is shown to the person in any case: that was promised when it was let.
      if (asked.method === 'sampling/createMessage' && asked.from === 'server') this.#answerByItself(asked);
    };
    if (options !== undefined) this.#use(modelSettings(options));
  }

  /** Sets up the model. A key that was given before stays where the address is the same, and goes nowhere else. */
  setUp(words: ModelWords): void {
    const before = this.#settings;
    const kept = before === undefined ? {} : { timeoutMs: before.timeoutMs, maxTokens: before.known.maxTokens };
    const { known, timeoutMs, key } = modelSettings({ ...kept, ...words });
    const isSame = before?.known.endpoint === known.endpoint;
    const own = key ?? (isSame ? before.key : undefined);
    this.#stopAll('The model was changed: switch it on again');
    this.#use({ known: { ...known, hasKey: own !== undefined }, key: own, timeoutMs });
  }

  /** Forgets the model with its key, and ends what is asked of it. */
  forget(): void {
    this.#settings = undefined;
    this.#stopAll('There is no model any more');
    this.#log.add('model', {});
  }

  /** Asks the model for a draft, which a person looks at before it is sent. */
  ask(question: string, model?: string): string {
    const waiting = this.#questions.waiting(question);
    if (waiting.method !== 'sampling/createMessage') throw new Refusal('This question is not for a model');
    const settings = this.#settings;
    if (settings === undefined) throw new Refusal('There is no model to be asked', 'Set one up first.', 409);
    if (this.#running.has(question)) throw new Refusal('The model is being asked already', 'Cancel it first.', 409);
    const named = model === undefined ? settings : renamed(settings, model);
    return this.#ask({ waiting, settings: named, by: 'person', maxTokens: most(named, waiting) });
  }

  cancel(question: string): void {
    this.#running.get(question)?.abort(new Error('Cancelled'));
  }

  /** Lets the model answer what a connection asks from now on, or no more. What waits already waits for the person. */
  switchByItself(connection: string, on: boolean): void {
    if (!on) return this.#switchOff(connection);
    if (this.#settings === undefined) throw new Refusal('There is no model to answer', 'Set one up first.', 409);
    this.#byItself.set(connection, new Budget());
    this.#tell(connection);
  }

  /** A connection has ended: whoever is there next time is not answered by itself. */
  left(connection: string): void {
    this.#switchOff(connection);
  }

  close(): void {
    for (const stop of this.#running.values()) stop.abort(new Error('The inspector ends'));
    this.#byItself.clear();
    this.#settings = undefined;
  }

  #use(settings: ModelSettings): void {
    this.#settings = settings;
    this.#log.add('model', { model: settings.known });
  }

  #stopAll(says: string): void {
    for (const stop of this.#running.values()) stop.abort(new Error(says));
    for (const connection of this.#byItself.keys()) this.#switchOff(connection, says);
  }

  #switchOff(connection: string, says?: string): void {
    const budget = this.#byItself.get(connection);
    if (budget === undefined) return;
    this.#byItself.delete(connection);
    const { answers, tokens } = budget;
    this.#log.add('by-itself', { connection, on: false, answers, tokens, ...(says !== undefined && { says }) });
  }

  #tell(connection: string, says?: string): void {
    const { answers = 0, tokens = 0 } = this.#byItself.get(connection) ?? {};
    this.#log.add('by-itself', { connection, on: true, answers, tokens, ...(says !== undefined && { says }) });
  }

  #answerByItself(waiting: Waiting): void {
    const { connection, params } = waiting;
    const budget = this.#byItself.get(connection);
    const settings = this.#settings;
    if (budget === undefined || settings === undefined) return;
    const maxTokens = most(settings, waiting);
    const estimated = questionTokens(params) + maxTokens;
    const refused = budget.refuses(estimated);
    if (refused !== undefined) {
      if (refused.isOver) this.#switchOff(connection, refused.says);
      else this.#tell(connection, `${refused.says}: this question waits for you`);
      return;
    }
    budget.begin(estimated);
    this.#ask({ waiting, settings, by: 'itself', maxTokens }, { budget, estimated });
  }

  /** Asks, and gives the id of that; what comes of it is told by events. */
  #ask(asking: Asking, spending?: Spending): string {
    const { waiting, settings, by, maxTokens } = asking;
    const { question, connection, call } = waiting;
    const ask = this.#ids.next('m');
    const about = { ask, question, connection, ...(call !== undefined && { call }) };
    this.#log.add('model-ask', { ...about, model: settings.known.model, by, maxTokens });
    void this.#run(ask, asking, spending);
    return ask;
  }

  async #run(ask: string, asking: Asking, spending: Spending | undefined): Promise<void> {
    const { question, connection, over, answer: give } = asking.waiting;
    const since = performance.now();
    const stop = new AbortController();
    const isOver = (): void => stop.abort(over.reason);
    over.addEventListener('abort', isOver, { once: true });
    this.#running.set(question, stop);
    const { answer, ...end } = await this.#answer(asking, stop.signal);
    this.#running.delete(question);
    over.removeEventListener('abort', isOver);
    this.#log.add('model-end', { ask, question, ms: round(performance.now() - since), ...end });
    if (spending === undefined) return;
    const { budget, estimated } = spending;
    const used = answer?.usage && answer.usage.input + answer.usage.output;
    budget.end(estimated, used, answer !== undefined);
    if (this.#byItself.get(connection) === budget) this.#tell(connection);
    if (answer !== undefined && !over.aborted) give(answer.draft);
  }

  /** What comes of asking a model. Whatever goes wrong, the question stays for the person. */
  async #answer(
    { waiting, settings, by, maxTokens }: Asking,
    signal: AbortSignal,
  ): Promise<Pick<ModelEnd, 'outcome' | 'draft' | 'usage' | 'error'> & { answer?: ModelAnswer }> {
    const { question, connection, call, params } = waiting;
    const owner = { connection, question, ...(call !== undefined && { call }) };
    const { tap } = new Exchanges(this.#log, this.#ids, { owner });
    try {
      const { model, endpoint } = settings.known;
      const wish = { params, model, maxTokens, endpoint };
      const answer = await askModel({ settings, wish, signal, tap });
      if (signal.aborted) return { outcome: 'cancelled' };
      const { draft, usage } = answer;
      const shown: { draft?: ModelDraft } = by === 'person' ? { draft } : {};
      return { outcome: by === 'person' ? 'drafted' : 'sent', ...shown, ...(usage && { usage }), answer };
    } catch (error) {
      if (signal.aborted) return { outcome: 'cancelled' };
      const { message, advice } = error as Refusal;
      return { outcome: 'failed', error: { says: message, ...(advice !== undefined && { advice }) } };
    }
  }
}

/** The tokens that an answer may have: what the server wants, but no more than was set. */
function most({ known }: ModelSettings, { params }: Waiting): number {
  const { maxTokens: wanted } = params;
  return typeof wanted === 'number' && wanted >= 1 ? Math.min(Math.floor(wanted), known.maxTokens) : known.maxTokens;
}

function renamed({ known, key, timeoutMs }: ModelSettings, model: string): ModelSettings {
  const { service, url, maxTokens } = known;
  return modelSettings({ service, url, maxTokens, timeoutMs, model, ...(key !== undefined && { key }) });
}
