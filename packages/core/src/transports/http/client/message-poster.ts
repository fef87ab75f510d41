import { HttpError, SessionLost, TimeoutError } from '../../../client/errors.ts';
import { LightAbortController } from '../../../client/abort-signals.ts';
import type { Receiver } from '../../../client/transport.ts';
import { isObject, type Message, type Request, type RequestId, type Response } from '../../../jsonrpc/message.ts';
import type { Result } from '../../../protocol/results.ts';
import { type Endpoint, sessionEndTimeoutMs, isStateless } from './endpoint.ts';
import { readResponse } from './read-response.ts';
import { toHttpError, readErrorResponse } from './wire/parse-response.ts';
import { type HttpResponse, isOk } from './wire/response.ts';

/** Time for a server to take a message that has no answer. */
const acceptTimeoutMs = 60_000;

/** The parts of its transport that the poster uses. */
export interface MessagePosterHost {
  readonly receiver: Receiver;
  /** The server dropped this session. */
  sessionLost(id: string): void;
  /** Sends `initialize` over HTTP+SSE. Resolves with false if the server lacks that, too. */
  sendOverSse(request: Request): Promise<boolean>;
}

/** Posts messages to a server, each as an HTTP request, and reads the responses. */
export class MessagePoster {
  readonly #endpoint: Endpoint;
  readonly #host: MessagePosterHost;
  readonly #requests = new Map<RequestId, LightAbortController>();
  /** Messages in flight that get no answer. */
  readonly #unanswered = new Map<LightAbortController, Promise<void>>();

  constructor(endpoint: Endpoint, host: MessagePosterHost) {
    this.#endpoint = endpoint;
    this.#host = host;
  }

  /** Posts a message. A request is answered when this resolves, unless it was abandoned. */
  post(message: Message): Promise<void> {
    const controller = new LightAbortController();
    if ('method' in message && 'id' in message) {
      this.#requests.set(message.id, controller);
      return this.#send(message, message, controller);
    }
    // No caller waits for it, so it needs its own timeout.
    const timer = setTimeout(() => controller.abort(notAccepted()), acceptTimeoutMs);
    const sent = this.#send(message, undefined, controller).finally(() => {
      clearTimeout(timer);
      this.#unanswered.delete(controller);
    });
    this.#unanswered.set(controller, sent);
    return sent;
  }

  /** Aborts an orphaned request. */
  abandon(id: RequestId): void {
    this.#requests.get(id)?.abort();
  }

  /** Aborts all requests, but waits briefly for messages without an answer. */
  async close(graceMs: number = sessionEndTimeoutMs): Promise<void> {
    for (const controller of this.#requests.values()) controller.abort();
    const timer = setTimeout(() => {
      for (const controller of this.#unanswered.keys()) controller.abort();
    }, graceMs);
    await Promise.allSettled(this.#unanswered.values());
    clearTimeout(timer);
  }

  async #send(message: Message, request: Request | undefined, controller: LightAbortController): Promise<void> {
    const isOfSession = !isStateless(message) && request?.method !== 'initialize';
    const session = isOfSession ? this.#endpoint.session.id : undefined;
    try {
      const response = await this.#endpoint.post(message, this.#host.receiver.methods, controller.signal);
      if (!isOk(response)) await this.#onErrorStatus(response, request, session);
      else if (request === undefined) response.discard();
      else await this.#readResponse(response, request, controller);
    } catch (error) {
      if (!controller.aborted) throw error;
      if (controller.reason instanceof TimeoutError) throw controller.reason;
    } finally {
      if (request !== undefined && this.#requests.get(request.id) === controller) this.#requests.delete(request.id);
    }
  }

  #readResponse(response: HttpResponse, request: Request, controller: LightAbortController): Promise<void> {
    const { url, maxMessage } = this.#endpoint;
    const { receiver } = this.#host;
    return readResponse(response, {
      request,
      url,
      maxMessage,
      controller,
      resume: isStateless(request) ? undefined : (lastEventId) => this.#endpoint.get(lastEventId, controller.signal),
      onAnswer: (answer) => receiver.receive(this.#applyToTransport(answer, request, response)),
      onMessage: (message) => receiver.receive(message),
      warn: (text) => receiver.warn(text),
    });
  }

  /** Applies the parts of an answer that concern the transport. */
  #applyToTransport(answer: Response, request: Request, response: HttpResponse): Response {
    if (!('result' in answer)) return answer;
    const result = answer.result as Result;
    if (request.method === 'initialize') {
      this.#endpoint.session.begin(response.header('mcp-session-id'), result.protocolVersion);
    }
    const { listsTools = request.method === 'tools/list' ? '' : undefined } = this.#host.receiver.methods.of(
      request.method,
    );
    if (listsTools === undefined || !isStateless(request) || !isObject(result)) return answer;
    const record = (listed: Result): Result =>
      this.#endpoint.mirrored.recordTools(listed, (text) => this.#host.receiver.warn(text));
    if (listsTools === '') return { ...answer, result: record(result) };
    const listed = result[listsTools];
    return isObject(listed) ? { ...answer, result: { ...result, [listsTools]: record(listed) } } : answer;
  }

  async #onErrorStatus(
    response: HttpResponse,
    request: Request | undefined,
    session: string | undefined,
  ): Promise<void> {
    if (response.status === 404 && session !== undefined) {
      response.discard();
      this.#host.sessionLost(session);
      throw new SessionLost('The server dropped the session');
    }
    const error = await readErrorResponse(response);
    const mayBeOlder = request?.method === 'initialize' && mayBeSse(response.status);
    if (mayBeOlder && (await this.#host.sendOverSse(request))) return;
    if (error instanceof HttpError || request === undefined) throw toHttpError(response, error);
    this.#host.receiver.receive({ ...error, id: request.id });
  }
}

/** Statuses with which an HTTP+SSE server answers a POST. */
function mayBeSse(status: number): boolean {
  return status === 400 || status === 404 || status === 405;
}

function notAccepted(): TimeoutError {
  return new TimeoutError(`The server did not accept a message within ${acceptTimeoutMs} ms`);
}
