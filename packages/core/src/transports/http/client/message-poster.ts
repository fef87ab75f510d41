import { HttpError, SessionLost, TimeoutError } from '../../../client/errors.ts';
import { Stopper } from '../../../client/abort-signals.ts';
import type { Receiver } from '../../../client/transport.ts';
import { isObject, type Message, type Request, type RequestId, type Response } from '../../../jsonrpc/message.ts';
import type { Result } from '../../../protocol/results.ts';
import { type Endpoint, goodbyeMs, isStateless } from './endpoint.ts';
import { takeAnswer } from './read-response.ts';
import { asHttpError, readRefusal } from './wire/parse-response.ts';
import { type HttpResponse, isOk } from './wire/response.ts';
import { limits } from '../../../limits.ts';

const patienceMs = limits.clientHttp.takenMs.value;

/** What posting needs of the transport around it. */
export interface PostingSide {
  readonly receiver: Receiver;
  /** The server has forgotten this session. */
  sessionLost(id: string): void;
  /** Sends `initialize` over the older transport. Gives false where the server does not have that one either. */
  sendByOlder(request: Request): Promise<boolean>;
}

/** Posts messages to a server, each as an HTTP request of its own, and takes what is answered to them. */
export class Posting {
  readonly #endpoint: Endpoint;
  readonly #side: PostingSide;
  readonly #requests = new Map<RequestId, Stopper>();
  /** What is being sent that has no answer. */
  readonly #others = new Map<Stopper, Promise<void>>();

  constructor(endpoint: Endpoint, side: PostingSide) {
    this.#endpoint = endpoint;
    this.#side = side;
  }

  /** Posts a message. A request is answered when this resolves, unless it was abandoned. */
  post(message: Message): Promise<void> {
    const controller = new Stopper();
    if ('method' in message && 'id' in message) {
      this.#requests.set(message.id, controller);
      return this.#exchange(message, message, controller);
    }
    // Nobody waits for an answer, so nobody else gives up.
    const late = setTimeout(() => controller.abort(notTaken()), patienceMs);
    const sent = this.#exchange(message, undefined, controller).finally(() => {
      clearTimeout(late);
      this.#others.delete(controller);
    });
    this.#others.set(controller, sent);
    return sent;
  }

  /** Lets go of a request that nobody waits for. */
  abandon(id: RequestId): void {
    this.#requests.get(id)?.abort();
  }

  /** Lets go of all requests, but waits a little for what has only to be sent. */
  async finish(): Promise<void> {
    for (const controller of this.#requests.values()) controller.abort();
    const late = setTimeout(() => {
      for (const controller of this.#others.keys()) controller.abort();
    }, goodbyeMs);
    await Promise.allSettled(this.#others.values());
    clearTimeout(late);
  }

  async #exchange(message: Message, request: Request | undefined, controller: Stopper): Promise<void> {
    const isOfSession = !isStateless(message) && request?.method !== 'initialize';
    const session = isOfSession ? this.#endpoint.session.id : undefined;
    try {
      const response = await this.#endpoint.post(message, this.#side.receiver.methods, controller.signal);
      if (!isOk(response)) await this.#refused(response, request, session);
      else if (request === undefined) response.discard();
      else await this.#take(response, request, controller);
    } catch (error) {
      if (!controller.aborted) throw error;
      if (controller.reason instanceof TimeoutError) throw controller.reason;
    } finally {
      if (request !== undefined && this.#requests.get(request.id) === controller) this.#requests.delete(request.id);
    }
  }

  #take(response: HttpResponse, request: Request, controller: Stopper): Promise<void> {
    const { url, maxMessage } = this.#endpoint;
    const { receiver } = this.#side;
    return takeAnswer(response, {
      request,
      url,
      maxMessage,
      controller,
      resume: isStateless(request) ? undefined : (lastEventId) => this.#endpoint.get(lastEventId, controller.signal),
      answered: (answer) => receiver.receive(this.#understood(answer, request, response)),
      receive: (message) => receiver.receive(message),
      warn: (text) => receiver.warn(text),
    });
  }

  /** Takes from an answer what concerns the transport itself. */
  #understood(answer: Response, request: Request, response: HttpResponse): Response {
    if (!('result' in answer)) return answer;
    const result = answer.result as Result;
    if (request.method === 'initialize') {
      this.#endpoint.session.begin(response.header('mcp-session-id'), result.protocolVersion);
    }
    if (request.method !== 'tools/list' || !isStateless(request) || !isObject(result)) return answer;
    return { ...answer, result: this.#endpoint.mirrored.learn(result, (text) => this.#side.receiver.warn(text)) };
  }

  async #refused(response: HttpResponse, request: Request | undefined, session: string | undefined): Promise<void> {
    if (response.status === 404 && session !== undefined) {
      response.discard();
      this.#side.sessionLost(session);
      throw new SessionLost('The server has forgotten the session');
    }
    const refusal = await readRefusal(response);
    const mayBeOlder = request?.method === 'initialize' && isTooOld(response.status);
    if (mayBeOlder && (await this.#side.sendByOlder(request))) return;
    if (refusal instanceof HttpError || request === undefined) throw asHttpError(response, refusal);
    this.#side.receiver.receive({ ...refusal, id: request.id });
  }
}

/** What a server that has only the older transport answers to a POST. */
function isTooOld(status: number): boolean {
  return status === 400 || status === 404 || status === 405;
}

function notTaken(): TimeoutError {
  return new TimeoutError(`The server did not take a message within ${patienceMs} ms`);
}
