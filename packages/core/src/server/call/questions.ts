import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params, type Response } from '../../jsonrpc/message.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type {
  Ability,
  ElicitParams,
  Root,
  SampleParams,
  SampleResult,
  SamplingContent,
} from '../../protocol/questions.ts';
import type { WireSchema } from '../../protocol/listing.ts';
import type { Result } from '../../protocol/results.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { Schema } from '../../schema/infer.ts';
import { formatProblems } from '../../schema/problems.ts';
import { type AskableCall, declaresAbility, isAskable } from './client-abilities.ts';
import type { Aside, AsideQuestion } from './background-job.ts';
import type { Elicited, Question, SampleQuestion } from './context.ts';
import type { Auth, Exchange } from '../exchange.ts';
import { observeQuestion, type QuestionObservers } from '../observe/observe-question.ts';
import type { ServerOptions } from '../options.ts';
import type { StateSeal } from './request-state.ts';
import { assertTellable } from './result-size.ts';
import { limits } from '../../limits.ts';

/**
 * What a handler may ask of its client. Each question is one `await` in every revision: a client that can be asked on
 * the spot is asked; for another the call is suspended, and answered from its replies when it is run again.
 */

/** What a question needs of the call in which it is asked. */
export interface AskingCall extends AskableCall {
  readonly params: Params;
  /** The message as it came. */
  readonly received: { readonly params?: Params };
  readonly exchange: Exchange;
  readonly auth: Auth | undefined;
  /** The server in whose name the call is answered. */
  readonly host: QuestionObservers & {
    readonly options: ServerOptions;
    readonly stateSeal: StateSeal;
    readonly maxResult: number;
  };
  readonly done: boolean;
  /** Aborted when the call is over: questions still open then are taken back. */
  readonly asking: AbortSignal;
  /** True where the answers to its questions may be used once. */
  readonly resumesOnce: boolean;
  /** What the call goes on with, where it was answered before its work was done. */
  readonly aside: Aside | undefined;
  /** The answers this caller gave in earlier rounds of the same request, by the key of the question. */
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  readonly extras: Inquiry;
  respond(result: Result): Response;
  refuse(error: unknown): Response;
  settle(response: Response | undefined): void;
  stop(reason: unknown): void;
}

// JavaScript has no compiler that tells, and other libraries ask in other forms.
const howToElicit =
  'elicit takes one object: write elicit({ message: "…", schema: … }) for a form, elicit({ message: "…", url: "…" }) for a page';
const howToSample = 'sample takes one object: write sample({ messages: "…", maxTokens: 100 })';

/** Asks the person at the client to fill in a form, or to visit a page. */
export async function elicit<S extends Schema, T>(call: AskingCall, question: Question<S>): Promise<Elicited<T>> {
  if (!isQuestion(question)) throw new TypeError(howToElicit);
  if ('url' in question) {
    if (!declares(call, 'elicit-url')) throw lacking('elicitation by URL', { elicitation: { url: {} } });
    const params: ElicitParams = { mode: 'url', message: question.message, url: question.url };
    const { action } = elicitation(await ask(call, 'elicitation/create', params, question.key));
    return action === 'accept' ? { action, content: undefined as T } : { action };
  }
  if (!declares(call, 'elicit')) throw lacking('elicitation by form', { elicitation: { form: {} } });
  const schema = compileSchema(question.schema, { side: 'input' });
  const requestedSchema = formSchema(schema.json as WireSchema);
  const params: ElicitParams = { mode: 'form', message: question.message, requestedSchema };
  const { action, content } = elicitation(await ask(call, 'elicitation/create', params, question.key));
  if (action !== 'accept') return { action };
  const checked = await schema.check(content ?? {});
  if (!checked.ok) throw invalidParams(`The form was not filled in as asked: ${formatProblems(checked.problems)}`);
  return { action, content: checked.value as T };
}

function isQuestion(question: unknown): boolean {
  return isObject(question) && (question.url ?? question.schema) !== undefined;
}

/** Asks the client's model. */
export async function sample(call: AskingCall, { key, messages, ...rest }: SampleQuestion): Promise<SampleResult> {
  if (messages === undefined) throw new TypeError(howToSample);
  if (!declares(call, 'sample')) throw lacking('sampling', { sampling: {} });
  if (rest.tools !== undefined && !declares(call, 'sample-tools'))
    throw lacking('sampling with tools', { sampling: { tools: {} } });
  const params: SampleParams = {
    messages: typeof messages === 'string' ? [{ role: 'user', content: { type: 'text', text: messages } }] : messages,
    ...rest,
  };
  const answer = await ask(call, 'sampling/createMessage', params, key);
  const { role, content, model, stopReason } = answer;
  const blocks = Array.isArray(content) ? content : [content];
  if ((role !== 'user' && role !== 'assistant') || typeof model !== 'string' || !blocks.every(isObject)) {
    throw malformed('sampling/createMessage', 'an object with role, content and model');
  }
  const result: SampleResult = { role, content: blocks as unknown as SamplingContent[], model };
  return typeof stopReason === 'string' ? { ...result, stopReason } : result;
}

/** Asks which folders the client works in. */
export async function roots(call: AskingCall, question: { key?: string } = {}): Promise<Root[]> {
  if (!declares(call, 'roots')) throw lacking('roots', { roots: {} });
  const answer = await ask(call, 'roots/list', undefined, question.key);
  if (!Array.isArray(answer.roots) || !answer.roots.every((root) => isObject(root) && typeof root.uri === 'string')) {
    throw malformed('roots/list', 'an object with a list of roots');
  }
  return answer.roots as Root[];
}

function declares({ clientCapabilities }: AskingCall, ability: Ability): boolean {
  return declaresAbility(clientCapabilities, ability);
}

function elicitation(answer: Record<string, unknown>): { action: 'accept' | 'decline' | 'cancel'; content: unknown } {
  const { action, content } = answer;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    throw malformed('elicitation/create', 'an object with the action "accept", "decline" or "cancel"');
  }
  return { action, content };
}

type AskMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

const capabilityFor: Record<AskMethod, ClientCapabilities> = {
  'elicitation/create': { elicitation: {} },
  'sampling/createMessage': { sampling: {} },
  'roots/list': { roots: {} },
};

function ask(
  call: AskingCall,
  method: AskMethod,
  params: object | undefined,
  key: string | undefined,
): Promise<Record<string, unknown>> {
  if (call.done) throw over();
  const { extras } = call;
  extras.asked += 1;
  const { revision, exchange } = call;
  if (!revision.questions.has(method)) throw lacking(`"${method}"`, capabilityFor[method]);
  const narrow = revision.downgrade[method as 'elicitation/create'] as ((params: object) => object) | undefined;
  const told = (params === undefined ? undefined : (narrow?.(params) ?? params)) as Params | undefined;
  assertTellable(told, `The question "${method}"`, call.host.maxResult);
  if (call.aside !== undefined)
    return askAside(call, call.aside, { key: key ?? `input-${extras.asked}`, method, params: told });
  if (revision.asksBy === 'request') {
    if (exchange.ask === undefined) throw lacking(`"${method}" on this connection`, capabilityFor[method]);
    return askWithinTime(call, method, told);
  }
  if (!isAskable(call)) throw unaskable(call.method);
  return replay(call, key ?? `input-${extras.asked}`, method, told);
}

/** Asks in the way of whatever the call goes on with. What was answered in earlier rounds of the request is not asked again. */
function askAside(call: AskingCall, aside: Aside, question: AsideQuestion): Promise<Record<string, unknown>> {
  const { key, method } = question;
  const known = call.answers !== undefined && Object.hasOwn(call.answers, key) ? call.answers[key] : undefined;
  if (aside.ask === undefined && known === undefined) throw lacking(`"${method}" at this point`, {});
  call.extras.waiting += 1;
  return Promise.resolve(known ?? aside.ask?.(question))
    .finally(() => {
      call.extras.waiting -= 1;
    })
    .then((answer) => {
      if (!isObject(answer)) throw malformed(method, 'an object');
      return answer;
    });
}

/** A client may be gone without a word, or its user asleep: no call waits for ever. */
async function askWithinTime(
  call: AskingCall,
  method: string,
  params: Params | undefined,
): Promise<Record<string, unknown>> {
  const { questionTimeoutMs = limits.server.questionTimeoutMs.value } = call.host.options;
  const limit = new AbortController();
  const end = (): void => limit.abort(call.asking.reason);
  call.asking.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => {
    const message = `The client did not answer "${method}" within ${questionTimeoutMs / 1000} seconds`;
    limit.abort(new ProtocolError(ErrorCode.InternalError, message));
  }, questionTimeoutMs);
  call.extras.waiting += 1;
  try {
    return await askHere(call, { method, params, signal: limit.signal });
  } finally {
    call.extras.waiting -= 1;
    clearTimeout(timer);
    call.asking.removeEventListener('abort', end);
  }
}

/** What is needed to ask a client on the spot. */
interface AskedCall extends Pick<AskingCall, 'auth' | 'revision' | 'host'> {
  readonly exchange: Pick<Exchange, 'ask'> & { readonly origin?: Exchange['origin'] | undefined };
}

/** Asks a client that can be asked on the spot, and lets those see it who watch. */
export function askHere(
  { auth, exchange, revision, host }: AskedCall,
  { method, params, signal }: { method: string; params: Params | undefined; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const ask = (told: Params | undefined): Promise<Record<string, unknown>> =>
    (exchange as Required<Pick<Exchange, 'ask'>>).ask(method, told, signal);
  if (host.observers.length === 0) return ask(params);
  const question = { method, params: params ?? {}, auth, origin: exchange.origin, revision: revision.version };
  return observeQuestion(host, question, (told) =>
    ask(params === undefined && Object.keys(told).length === 0 ? undefined : told),
  );
}

/** Answers from what the client brought back, or suspends the call until it comes back with more. */
function replay(
  call: AskingCall,
  key: string,
  method: string,
  params: Params | undefined,
): Promise<Record<string, unknown>> {
  const answers = call.answers ?? {};
  const responses = (call.params.inputResponses ?? {}) as Record<string, unknown>;
  const answer = Object.hasOwn(answers, key)
    ? answers[key]
    : Object.hasOwn(responses, key)
      ? responses[key]
      : undefined;
  if (answer !== undefined) {
    if (!isObject(answer)) throw malformed(method, 'an object');
    call.extras.answers = { ...answers, [key]: answer };
    return Promise.resolve(answer);
  }
  return new Promise((_, reject) => {
    if (call.extras.questions === undefined) {
      call.extras.questions = new Map();
      // What the handler asks before it waits for anything goes out together.
      queueMicrotask(() => void suspend(call));
    }
    call.extras.questions.set(key, { method, params, reject });
  });
}

async function suspend(call: AskingCall): Promise<void> {
  const questions = call.extras.questions ?? new Map();
  if (call.done) {
    for (const { reject } of questions.values()) reject(over());
    return;
  }
  try {
    const { stateSeal } = call.host;
    const once = call.resumesOnce;
    const requestState = await stateSeal.close({ answers: { ...call.answers } }, bindingOf(call), {
      once,
      store: call.exchange.store,
    });
    const inputRequests: Record<string, object> = {};
    for (const [key, { method, params }] of questions) {
      inputRequests[key] = params === undefined ? { method } : { method, params };
    }
    call.settle(call.respond({ resultType: 'input_required', inputRequests, requestState }));
  } catch (error) {
    call.settle(call.refuse(error));
  }
  const reason = new Suspended();
  for (const { reject } of questions.values()) reject(reason);
  call.stop(reason);
}

/** Takes up a suspended request where its client brings back the state that it was given. */
export async function restoreAnswers(call: AskingCall): Promise<void> {
  const { requestState, inputResponses } = call.params;
  if (inputResponses !== undefined && !isObject(inputResponses)) {
    throw invalidParams('"inputResponses" must be an object with an answer for each question');
  }
  if (requestState === undefined) return;
  const { stateSeal } = call.host;
  call.extras.answers = (await stateSeal.open(requestState, bindingOf(call), call.exchange.store)).answers;
}

function bindingOf(call: AskingCall): { method: string; params: Params; principal: string | undefined } {
  return { method: call.method, params: call.received.params ?? {}, principal: call.auth?.principal };
}

/** A form is flat: hosts show one field for each property. */
function formSchema(schema: WireSchema): WireSchema {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property) || !isField(property)) {
      throw new TypeError(`A form's "${name}" must be a string, number, integer, boolean or a choice, without nesting`);
    }
  }
  const { $schema, required, additionalProperties: _, ...rest } = schema;
  return { ...rest, type: 'object', properties, ...(Array.isArray(required) && { required }) };
}

function isField(schema: Record<string, unknown>): boolean {
  const { type, items } = schema;
  if (type === 'array') return isObject(items) && (Array.isArray(items.enum) || Array.isArray(items.anyOf));
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}

function malformed(method: string, expected: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `Malformed answer to "${method}": ${expected} is expected`);
}

/** What a call has asked, and what waits for an answer. */
interface Inquiry {
  /** How many questions wait for the client to answer on the spot. */
  waiting: number;
  /** How many questions were asked so far: numbers those without a key. */
  asked: number;
  /** The answers this caller gave in earlier rounds of the same request, by the key of the question. */
  answers: Readonly<Record<string, unknown>> | undefined;
  /** Questions that wait for the client to come back with answers. */
  questions: Map<string, PendingQuestion> | undefined;
}

/** A question that could not be answered yet. */
export interface PendingQuestion {
  method: string;
  params: Params | undefined;
  reject(reason: unknown): void;
}

/** Thrown into a handler whose call can go on only after the client has come back: it runs again then, from its start. */
export class Suspended extends Error {
  override name = 'Suspended';

  constructor() {
    super('The call waits for input of the client and is run again when that arrives');
  }
}

/** What a handler gets that asks when nobody waits for it any more: left waiting, it would never clean up. */
function over(): DOMException {
  return new DOMException('The request is over', 'AbortError');
}

/** What a handler gets that asks where the protocol allows no questions. */
function unaskable(method: string): ProtocolError {
  const message = `Nothing can be asked while "${method}" is served: in this revision only tools, prompts and resources ask`;
  return new ProtocolError(ErrorCode.InternalError, message);
}

/** What a handler wanted of a client that said it can't. */
function lacking(what: string, requiredCapabilities: ClientCapabilities): ProtocolError {
  return new ProtocolError(ErrorCode.MissingClientCapability, `This client did not declare ${what}`, {
    requiredCapabilities,
  });
}
