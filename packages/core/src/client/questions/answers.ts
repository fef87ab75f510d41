import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { ElicitParams, Root, SampleParams, SampleResult, SamplingContent } from '../../protocol/questions.ts';
import type { WireSchema } from '../../protocol/listing.ts';

/** A form that the server wants filled in. */
export type FormQuestion = Extract<ElicitParams, { mode: 'form' }>;

/** A URL that the server wants opened. */
export type UrlQuestion = Extract<ElicitParams, { mode: 'url' }>;

/** The person's response to a form. Fields left out of `content` get the form's defaults. */
export type FormAnswer =
  | { action: 'accept'; content?: Record<string, unknown> }
  | { action: 'decline' | 'cancel'; content?: undefined };

/** The person's response to a URL; `accept` means that it was opened. */
export interface UrlAnswer {
  action: 'accept' | 'decline' | 'cancel';
}

/** The answer of the client's model. */
export type SampleAnswer = Omit<SampleResult, 'content'> & { content: SamplingContent | SamplingContent[] };

/** `signal` aborts when the server cancels the question. */
export interface Asking {
  readonly signal: AbortSignal;
}

/** Handlers for questions of the server, however they arrive. Absent handlers are not declared. */
export interface AnswerOptions {
  /** Shows a form to the person. */
  elicit?: (question: FormQuestion, asking: Asking) => FormAnswer | Promise<FormAnswer>;
  /** Shows the URL to the person, and opens it if they agree. */
  elicitUrl?: (question: UrlQuestion, asking: Asking) => UrlAnswer | Promise<UrlAnswer>;
  /** Asks a model, if the person agrees. */
  sample?: (question: SampleParams, asking: Asking) => SampleAnswer | Promise<SampleAnswer>;
  /** The roots of the client. */
  roots?: readonly Root[] | ((asking: Asking) => readonly Root[] | Promise<readonly Root[]>);
  /** More capabilities to declare, such as `{ sampling: { tools: {} } }`. */
  capabilities?: ClientCapabilities;
  /**
   * Answers every question as it came, in place of the handlers above: for gateways. What it answers is declared by
   * `capabilities` alone.
   */
  answer?: (method: string, params: Params | undefined, asking: Asking) => object | Promise<object>;
}

/** The capabilities that the handlers imply. */
export function toCapabilities(options: AnswerOptions): ClientCapabilities {
  const { elicit, elicitUrl, sample, roots, capabilities = {} } = options;
  const declared: ClientCapabilities = { ...capabilities };
  if (elicit !== undefined || elicitUrl !== undefined) {
    declared.elicitation = { ...(elicit && { form: {} }), ...(elicitUrl && { url: {} }), ...capabilities.elicitation };
  }
  if (sample !== undefined) declared.sampling = { ...capabilities.sampling };
  if (roots !== undefined) declared.roots = { listChanged: true, ...capabilities.roots };
  return declared;
}

/** Answers one question of a server. */
export function answerQuestion(
  options: AnswerOptions,
  method: string,
  params: Params | undefined,
  asking: Asking,
): Promise<object> {
  const { answer } = options;
  if (answer !== undefined) return Promise.resolve().then(() => answer(method, params, asking));
  if (method === 'elicitation/create') return answerElicitation(options, params ?? {}, asking);
  if (method === 'sampling/createMessage') return answerSampling(options, params ?? {}, asking);
  if (method === 'roots/list') return answerRoots(options, asking);
  return Promise.reject(notDeclared(method));
}

async function answerElicitation(
  { elicit, elicitUrl }: AnswerOptions,
  params: Params,
  asking: Asking,
): Promise<object> {
  if (elicit === undefined && elicitUrl === undefined) throw notDeclared('elicitation/create');
  if (typeof params.message !== 'string') throw invalidParams('"message" must be a string');
  if (params.mode === 'url') {
    if (elicitUrl === undefined) throw invalidParams('This client does not support elicitation by URL');
    if (typeof params.url !== 'string') throw invalidParams('"url" must be a string');
    const { action } = await elicitUrl(params as unknown as UrlQuestion, asking);
    return { action };
  }
  if (params.mode !== undefined && params.mode !== 'form') throw invalidParams('Unknown mode of elicitation');
  if (elicit === undefined) throw invalidParams('This client does not support elicitation by form');
  const { requestedSchema } = params;
  if (!isObject(requestedSchema)) throw invalidParams('"requestedSchema" must be an object');
  const question: FormQuestion = { ...(params as object), mode: 'form', message: params.message, requestedSchema };
  const { action, content } = await elicit(question, asking);
  return action === 'accept' ? { action, content: applyFormDefaults(requestedSchema, content ?? {}) } : { action };
}

async function answerSampling(
  { sample, capabilities }: AnswerOptions,
  params: Params,
  asking: Asking,
): Promise<object> {
  if (sample === undefined) throw notDeclared('sampling/createMessage');
  if (!Array.isArray(params.messages)) throw invalidParams('"messages" must be a list');
  const wantsTools = params.tools !== undefined || params.toolChoice !== undefined;
  if (wantsTools && capabilities?.sampling?.tools === undefined) {
    throw invalidParams('This client does not support sampling with tools');
  }
  const { content, ...answer } = await sample(params as unknown as SampleParams, asking);
  // Every revision understands a single block, only later ones a list.
  return { ...answer, content: Array.isArray(content) && content.length === 1 ? content[0] : content };
}

async function answerRoots({ roots }: AnswerOptions, asking: Asking): Promise<object> {
  if (roots === undefined) throw notDeclared('roots/list');
  return { roots: typeof roots === 'function' ? await roots(asking) : roots };
}

function notDeclared(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `This client did not declare that it answers "${method}"`);
}

/** Fills in form defaults for fields that were left out. */
export function applyFormDefaults(schema: WireSchema, content: Record<string, unknown>): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const filled = { ...content };
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(content, name) && content[name] !== undefined) continue;
    if (isObject(property) && property.default !== undefined) filled[name] = property.default;
  }
  return filled;
}
