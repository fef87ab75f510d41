import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { anySignal } from '../abort-signals.ts';
import type { ClientMiddleware, FollowedRequest, ExtensionListenOptions, ResultType } from '../extension.ts';
import { type RequestOptions, toFollowUpOptions } from '../request-options.ts';
import { listenByRequest, type SubscriptionHost } from '../subscriptions/listen-by-request.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { followResult } from './resolve-result.ts';
import type { ClientRequest, RequestHooks } from './sent-request.ts';

/** The maximum concurrent subscriptions of extensions. */
const maxExtensionSubscriptions = 8;

/** The parts of the connection that extensions use. */
export interface ExtensionHost extends SubscriptionHost {
  request(method: string, params?: Params, options?: RequestOptions): Promise<Result>;
  warn(text: string): void;
}

/** A request of the program, without its callbacks. */
type ProgramRequest = Pick<ClientRequest, 'method' | 'params' | 'options'>;

/** The part of extensions in requests: their middleware, following results of their types, and their subscriptions. */
export class ExtensionRequests {
  /** Runs around each request of the program; undefined if there is none, the usual case. */
  middleware: readonly ClientMiddleware[] | undefined;
  readonly #host: ExtensionHost;
  #subscriptions = 0;

  constructor(host: ExtensionHost) {
    this.#host = host;
  }

  /** Sends a request through middleware. The hook `finish` sees the outer result only. */
  sendThrough(
    middleware: readonly ClientMiddleware[],
    { method, params, options, hooks }: ProgramRequest & Pick<ClientRequest, 'hooks'>,
    send: (params: Params | undefined, hooks: RequestHooks) => Promise<Result>,
  ): Promise<Result> {
    const { finish, ...inner } = hooks;
    return this.#withFollowedRequest({ method, params, options }, async (request) => {
      const layers = middleware.reduceRight<(about: Params | undefined) => Promise<Result>>(
        (next, layer) => (about) => layer({ ...request, params: about }, (other = about) => next(other)),
        (about) => send(about, inner),
      );
      const result = await layers(params);
      return finish?.(result, params) ?? result;
    });
  }

  /** Lets an extension follow a result until the caller or the connection gives up. */
  follow(type: ResultType, result: Result, followed: ProgramRequest): Promise<Result> {
    return this.#withFollowedRequest(followed, (request) => followResult(type, result, request));
  }

  /** Returns an extension its view of a request, for as long as the request lasts. */
  async #withFollowedRequest(
    { method, params, options }: ProgramRequest,
    act: (request: FollowedRequest) => Promise<Result>,
  ): Promise<Result> {
    const { onProgress } = options;
    const further = toFollowUpOptions(options);
    const host = this.#host;
    const { signal, release } = anySignal([options.signal, host.lifecycle.closedSignal]);
    try {
      return await act({
        method,
        params,
        signal,
        onProgress,
        request: (next, about, more) => host.request(next, about, { ...further, signal, ...more, follow: false }),
        answer: (question, about, unwanted = signal) => host.incoming.answerQuestion(question, about, unwanted),
        listen: (filter, listening) => this.subscribe(filter, listening),
        warn: (text) => host.warn(text),
      });
    } finally {
      release();
    }
  }

  /** Subscribes for an extension. Each subscription takes a stream of the server, so they are limited. */
  async subscribe(
    filter: Readonly<Record<string, unknown>>,
    { signal, onNotification }: ExtensionListenOptions,
  ): Promise<Subscription> {
    if (!this.#host.lifecycle.agreement.revision.requests.has('subscriptions/listen')) {
      throw new Error('This version of the protocol has no "subscriptions/listen"');
    }
    if (this.#subscriptions >= maxExtensionSubscriptions)
      throw new Error(`Extensions have ${maxExtensionSubscriptions} subscriptions already`);
    this.#subscriptions += 1;
    const done = (): void => {
      this.#subscriptions -= 1;
    };
    try {
      const subscription = await listenByRequest(this.#host, { more: filter }, { signal, onNotification });
      void subscription.closed.catch(() => {}).finally(() => done());
      return subscription;
    } catch (error) {
      done();
      throw error;
    }
  }
}
