import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
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
import { compileSchema } from '../../schema/compile.ts';
import type { Schema } from '../../schema/infer.ts';
import { formatProblems } from '../../schema/problems.ts';
import { declaresAbility, isAskable } from './client-abilities.ts';
import type { Job, JobQuestion } from './background-job.ts';
import type { SuspendedState } from './request-state.ts';
import type { Elicited, Question, SampleQuestion } from './context.ts';
import type { Call } from './call.ts';
import type { Peer } from '../peer.ts';
import { observeQuestion } from '../observer.ts';
import { assertTellable } from './result-size.ts';
import { limits } from '../../limits.ts';

/**
 * The questions that a handler can ask its client. Each is one `await` in every revision: the server sends a request to
 * a client that supports it; otherwise the call is suspended, and replayed with the answers.
 */

// In JavaScript no compiler checks this, and other libraries ask in other forms.
const howToElicit =
  'elicit takes one object: write elicit({ message: "…", schema: … }) for a form, elicit({ message: "…", url: "…" }) for a page';
const howToSample = 'sample takes one object: write sample({ messages: "…", maxTokens: 100 })';

/** Asks the user to fill in a form, or to visit a page. */
export async function elicit<S extends Schema, T>(call: Call, question: Question<S>): Promise<Elicited<T>> {
  if (!isQuestion(question)) throw new TypeError(howToElicit);
  if ('url' in question) {
    if (!declares(call, 'elicit-url')) throw missingCapability('elicitation by URL', { elicitation: { url: {} } });
    const params: ElicitParams = { mode: 'url', message: question.message, url: question.url };
    const { action } = elicitation(await ask(call, 'elicitation/create', params, question.key));
    return action === 'accept' ? { action, content: undefined as T } : { action };
  }
  if (!declares(call, 'elicit')) throw missingCapability('elicitation by form', { elicitation: { form: {} } });
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
export async function sample(call: Call, { key, messages, ...rest }: SampleQuestion): Promise<SampleResult> {
  if (messages === undefined) throw new TypeError(howToSample);
  if (!declares(call, 'sample')) throw missingCapability('sampling', { sampling: {} });
  if (rest.tools !== undefined && !declares(call, 'sample-tools'))
    throw missingCapability('sampling with tools', { sampling: { tools: {} } });
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

/** Asks for the client's root folders. */
export async function roots(call: Call, question: { key?: string } = {}): Promise<Root[]> {
  if (!declares(call, 'roots')) throw missingCapability('roots', { roots: {} });
  const answer = await ask(call, 'roots/list', undefined, question.key);
  if (!Array.isArray(answer.roots) || !answer.roots.every((root) => isObject(root) && typeof root.uri === 'string')) {
    throw malformed('roots/list', 'an object with a list of roots');
  }
  return answer.roots as Root[];
}

function declares({ caller }: Call, ability: Ability): boolean {
  return declaresAbility(caller.capabilities, ability);
}

function elicitation(answer: Record<string, unknown>): { action: 'accept' | 'decline' | 'cancel'; content: unknown } {
  const { action, content } = answer;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    throw malformed('elicitation/create', 'an object with the action "accept", "decline" or "cancel"');
  }
  return { action, content };
}

const capabilityFor: Readonly<Record<string, ClientCapabilities>> = {
  'elicitation/create': { elicitation: {} },
  'sampling/createMessage': { sampling: {} },
  'roots/list': { roots: {} },
};

/** Sends a question of the protocol unchanged. */
export function ask(
  call: Call,
  method: string,
  params: object | undefined,
  key: string | undefined,
): Promise<Record<string, unknown>> {
  if (call.isOver) throw requestOver();
  const { inquiry, revision, peer } = call;
  inquiry.count += 1;
  if (!revision.questions.has(method)) throw missingCapability(`"${method}"`, capabilityFor[method] ?? {});
  const downgrade = revision.downgrade[method as 'elicitation/create'] as ((params: object) => object) | undefined;
  const sentParams = (params === undefined ? undefined : (downgrade?.(params) ?? params)) as Params | undefined;
  assertTellable(sentParams, `The question "${method}"`, call.host.settings.maxResult);
  if (call.job !== undefined)
    return askInJob(call, call.job, { key: key ?? `input-${inquiry.count}`, method, params: sentParams });
  if (revision.asksBy === 'request') {
    if (peer.ask === undefined) throw missingCapability(`"${method}" on this connection`, capabilityFor[method] ?? {});
    return askWithinTime(call, method, sentParams);
  }
  if (!isAskable(call)) throw unaskable(call.method);
  return replay(call, key ?? `input-${inquiry.count}`, method, sentParams);
}

/** Asks through the job of the call. Answers of earlier rounds are reused. */
function askInJob(call: Call, job: Job, question: JobQuestion): Promise<Record<string, unknown>> {
  const { key, method } = question;
  const { inquiry } = call;
  const { answers = {} } = inquiry;
  const known = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (job.ask === undefined && known === undefined) throw missingCapability(`"${method}" at this point`, {});
  inquiry.waiting += 1;
  return Promise.resolve(known ?? job.ask?.(question))
    .finally(() => {
      inquiry.waiting -= 1;
    })
    .then((answer) => {
      if (!isObject(answer)) throw malformed(method, 'an object');
      return answer;
    });
}

/** Asks with a timeout: the client may be disconnected, or its user away. */
async function askWithinTime(call: Call, method: string, params: Params | undefined): Promise<Record<string, unknown>> {
  const { questionTimeoutMs = limits.server.questionTimeoutMs.value } = call.host.options;
  const limit = new AbortController();
  const { inquiry } = call;
  const { signal } = inquiry;
  const end = (): void => limit.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => {
    const message = `The client did not answer "${method}" within ${questionTimeoutMs / 1000} seconds`;
    limit.abort(new ProtocolError(ErrorCode.InternalError, message));
  }, questionTimeoutMs);
  inquiry.waiting += 1;
  try {
    return await askHere(call, { method, params, signal: limit.signal });
  } finally {
    inquiry.waiting -= 1;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Dependencies of sending a question to a client. */
interface AskedCall extends Pick<Call, 'revision' | 'host'> {
  readonly peer: Pick<Peer, 'ask'> & { readonly [Name in 'auth' | 'origin']?: Peer[Name] | undefined };
}

/** Sends the question as a request, and reports it to observers. */
export function askHere(
  { peer, revision, host }: AskedCall,
  { method, params, signal }: { method: string; params: Params | undefined; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const ask = (sentParams: Params | undefined): Promise<Record<string, unknown>> =>
    (peer as Required<Pick<Peer, 'ask'>>).ask(method, sentParams, signal);
  if (host.observers.length === 0) return ask(params);
  const question = { method, params: params ?? {}, auth: peer.auth, origin: peer.origin, revision: revision.version };
  return observeQuestion(host, question, (sentParams) =>
    ask(params === undefined && Object.keys(sentParams).length === 0 ? undefined : sentParams),
  );
}

/** Returns the answer that the client sent, or suspends the call until the client retries with it. */
function replay(call: Call, key: string, method: string, params: Params | undefined): Promise<Record<string, unknown>> {
  const { inquiry } = call;
  const { answers = {} } = inquiry;
  const responses = ((call.outer ?? call).params.inputResponses ?? {}) as Record<string, unknown>;
  const answer = Object.hasOwn(answers, key)
    ? answers[key]
    : Object.hasOwn(responses, key)
      ? responses[key]
      : undefined;
  if (answer !== undefined) {
    if (!isObject(answer)) throw malformed(method, 'an object');
    inquiry.answers = { ...answers, [key]: answer };
    return Promise.resolve(answer);
  }
  return new Promise((_, reject) => {
    if (inquiry.pending === undefined) {
      inquiry.pending = new Map();
      // Questions that the handler asks before it awaits anything are sent together.
      queueMicrotask(() => void suspend(call));
    }
    inquiry.pending.set(key, { method, params, reject });
  });
}

async function suspend(call: Call): Promise<void> {
  const { execution, inquiry } = call;
  const questions = inquiry.pending ?? new Map();
  if (call.isOver) {
    for (const { reject } of questions.values()) reject(requestOver());
    return;
  }
  try {
    const once = call.tool?.tool.resumeOnce === true;
    const requestState = await sealState(call, { answers: { ...inquiry.answers } }, { once });
    const inputRequests: Record<string, object> = {};
    for (const [key, { method, params }] of questions) {
      inputRequests[key] = params === undefined ? { method } : { method, params };
    }
    execution.complete(call.respond({ resultType: 'input_required', inputRequests, requestState }));
  } catch (error) {
    execution.complete(call.fail(error));
  }
  const reason = new Suspended();
  for (const { reject } of questions.values()) reject(reason);
  execution.stop(reason);
}

/** Resumes a suspended request from the state that the client returned. */
export async function openAnswers(call: Call): Promise<void> {
  const { requestState, inputResponses } = call.params;
  if (inputResponses !== undefined && !isObject(inputResponses)) {
    throw invalidParams('"inputResponses" must be an object with an answer for each question');
  }
  if (requestState === undefined) return;
  const seal = await call.host.loadStateSeal();
  const { answers, state } = await seal.open(requestState, bindingOf(call), call.peer.store);
  call.inquiry.answers = answers;
  call.inquiry.state = state;
}

/** Signs the state of a call, to be resumed by the same request of the same caller. */
export async function sealState(
  call: Call,
  state: SuspendedState,
  { once = false }: { once?: boolean } = {},
): Promise<string> {
  const { store } = call.peer;
  const binding = bindingOf(call);
  const seal = await call.host.loadStateSeal();
  return seal.close(state, binding, { once, store });
}

/** Binds the state of a suspended call to its request and caller. */
function bindingOf(call: Call): { method: string; params: Params; principal: string | undefined } {
  const { method, received, peer } = call.outer ?? call;
  return { method, params: received.params ?? {}, principal: peer.auth?.principal };
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

/**
 * Thrown into a handler whose call is suspended: the client retries with the answers, and the handler runs from its
 * start.
 */
export class Suspended extends Error {
  override name = 'Suspended';

  constructor() {
    super('The call waits for input of the client and is run again when that arrives');
  }
}

/** The error for questions of an orphaned handler: a promise that never settles would prevent its cleanup. */
function requestOver(): DOMException {
  return new DOMException('The request is over', 'AbortError');
}

/** The error for questions where the protocol allows none. */
function unaskable(method: string): ProtocolError {
  const message = `Nothing can be asked while "${method}" is served: in this revision only tools, prompts and resources ask`;
  return new ProtocolError(ErrorCode.InternalError, message);
}

/** The error for a question that the client did not declare support for. */
function missingCapability(what: string, requiredCapabilities: ClientCapabilities): ProtocolError {
  return new ProtocolError(ErrorCode.MissingClientCapability, `This client did not declare ${what}`, {
    requiredCapabilities,
  });
}
