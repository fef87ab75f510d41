import { type ClientCapabilities, ErrorCode, type Operation, ProtocolError, type Result } from '@ccmcp/core';
import {
  type AbortSignalLike,
  LightAbortController,
  type LogMessage,
  type Params,
  type Progress,
} from '@ccmcp/core/client';
import type { RelayedCaller } from './call-relay.ts';
import type { ActiveCall } from './upstream/connection.ts';
import { askableOf, withoutHopKeys } from './messages.ts';

/** The maximum questions of one call that wait for an answer. */
export const maxQuestions = 100;

interface PendingQuestion {
  readonly method: string;
  readonly params: Params | undefined;
  resolve(answer: object): void;
  reject(error: Error): void;
}

/**
 * A call that is forwarded to the upstream. In the stateless era it may outlive its request: it waits while a question
 * travels to the client, and continues with the request that brings the answer.
 */
export class ForwardedCall implements ActiveCall {
  readonly owner: unknown;
  readonly subject: string;
  readonly abilities: ClientCapabilities;
  slot = 0;
  order = 0;
  isExclusive = false;
  /** The request that currently waits for the result. */
  operation: Operation;
  /** The response of the upstream, once the call was sent. */
  outcome: Promise<Result> | undefined;
  /** The id of the upstream task that the call became. */
  taskId: string | undefined;
  /** False if the client gets a task, too, so that no request waits here. */
  isFollowed = true;
  /** Aborts when no request waits for the result. */
  readonly signal = new LightAbortController();
  #id: string | undefined;
  readonly #questions = new Map<string, PendingQuestion>();
  #asked = 0;
  #onQuestion: (() => void) | undefined;
  #detach: (() => void) | undefined;
  /** The caller on another instance. */
  #caller: RelayedCaller | undefined;

  constructor(operation: Operation, name: string) {
    this.operation = operation;
    this.owner = (operation.era === 'handshake' ? operation.sessionKey : undefined) ?? this;
    this.subject = `${operation.method} ${name}`;
    this.abilities = askableOf(operation);
    this.attach(operation);
  }

  /** The id of a call that waits for an answer. */
  get id(): string {
    this.#id ??= crypto.randomUUID();
    return this.#id;
  }

  /** Continues for another request. */
  attach(operation: Operation): void {
    this.operation = operation;
    this.#caller = undefined;
    this.#detach = operation.onAbort((reason) => this.signal.abort(reason));
  }

  /** Continues without a request. */
  detach(): void {
    this.#detach?.();
    this.#detach = undefined;
  }

  /** Continues for a request to another instance. */
  attachTo(caller: RelayedCaller): void {
    this.#caller = caller;
  }

  /** Forwards progress of the upstream to the caller. */
  progress(progress: Progress): void {
    if (this.#caller !== undefined) return this.#caller.progress(progress);
    this.operation.progress(progress.progress, progress.total, progress.message);
  }

  /** Cancels the call and its questions. */
  cancel(reason: Error): void {
    for (const { reject } of this.#questions.values()) reject(reason);
    this.#questions.clear();
    this.signal.abort(reason);
  }

  async ask(method: string, question: Params | undefined, signal: AbortSignalLike): Promise<object> {
    assertAskable(method, question, this.abilities);
    if (this.#questions.size >= maxQuestions) {
      throw new ProtocolError(ErrorCode.InternalError, `Too many questions at a time: at most ${maxQuestions}`);
    }
    this.#asked += 1;
    const key = `question-${this.#asked}`;
    const { era, job } = this.operation;
    const params = question && toPassedQuestion(question, era);
    if (era === 'handshake' || job !== undefined) return this.operation.ask(method, params, key).catch(rethrow);
    return new Promise((resolve, reject) => {
      const forget = (): void => void this.#questions.delete(key);
      signal.addEventListener('abort', forget, { once: true });
      this.#questions.set(key, { method, params, resolve, reject });
      this.#onQuestion?.();
    });
  }

  log(message: LogMessage): void {
    if (this.#caller !== undefined) return this.#caller.log(message);
    const { level, data, logger } = message;
    this.operation.log(level, data, logger);
  }

  completeElicitation(elicitationId: string): void {
    const { era, notifyLater } = this.operation;
    if (era === 'handshake') notifyLater?.('notifications/elicitation/complete', { elicitationId });
  }

  /** Resolves when a question of the upstream has to travel to the client. */
  questionsArrived(): Promise<void> {
    if (this.#questions.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onQuestion = resolve;
    });
  }

  /** The questions in the format of a result. */
  inputRequests(): Params {
    const requests: Params = {};
    for (const [key, { method, params }] of this.#questions) requests[key] = { method, ...(params && { params }) };
    return requests;
  }

  /** Sends the answers of a client upstream. Unanswered questions are asked again. */
  answer(responses: unknown): void {
    const answers = (responses ?? {}) as Record<string, unknown>;
    for (const [key, { method, resolve }] of this.#questions) {
      const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
      if (answer === undefined) continue;
      if (typeof answer !== 'object' || answer === null) {
        throw new ProtocolError(ErrorCode.InvalidParams, `Malformed answer to "${method}": an object is expected`);
      }
      this.#questions.delete(key);
      resolve(answer);
    }
  }
}

/** Throws if the caller has not declared the capability to answer this question. */
function assertAskable(method: string, question: Params | undefined, abilities: ClientCapabilities): void {
  const { elicitation, sampling, roots } = abilities;
  const declared: unknown = {
    'elicitation/create': elicitation,
    'sampling/createMessage': sampling,
    'roots/list': roots,
  }[method];
  if (declared === undefined) {
    throw new ProtocolError(ErrorCode.MethodNotFound, `The client can't be asked "${method.slice(0, 100)}"`);
  }
  const mode = question?.mode === 'url' ? 'url' : 'form';
  if (method === 'elicitation/create' && elicitation?.[mode] === undefined) {
    throw new ProtocolError(ErrorCode.InvalidParams, `The client does not support elicitation in the mode "${mode}"`);
  }
}

/** The params of a question for the client. The id of a URL elicitation exists in the handshake era only. */
function toPassedQuestion({ _meta, elicitationId, ...params }: Params, era: Operation['era']): Params {
  const meta = withoutHopKeys(_meta as Params | undefined);
  return {
    ...params,
    ...(era === 'handshake' && elicitationId !== undefined && { elicitationId }),
    ...(meta && { _meta: meta }),
  };
}

/** Reports to the upstream why its question is not answered. */
function rethrow(error: Error): never {
  throw error instanceof ProtocolError ? error : new ProtocolError(ErrorCode.InternalError, error.message);
}
