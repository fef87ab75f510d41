import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Agreement } from './negotiate.ts';
import type { SharedTimer, PendingRequest, WaitOptions } from './pending-requests.ts';
import type { RequestOptions } from '../request-options.ts';

/** Hooks of the caller into one request. */
export interface RequestHooks {
  /** True: returns the result unchanged, final or not. */
  readonly raw?: boolean;
  /** Called if the result takes more than one round. */
  onRounds?(): void;
  /** Converts the final result to what the caller gets. */
  finish?(result: Result, params: Params | undefined): Result | Promise<Result>;
  /** Recovers from an error, or throws it. */
  recover?(error: unknown, params: Params | undefined, options: RequestOptions): Promise<Result>;
}

/** A request of the program, with its callbacks. */
export interface ClientRequest {
  readonly method: string;
  readonly params: Params | undefined;
  readonly options: RequestOptions;
  readonly hooks: RequestHooks;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** Continues after a request was answered or failed. */
export interface SentRequestHost {
  onResult(request: ClientRequest, result: Result): void;
  onFailure(sent: SentRequest, error: Error): void;
}

/**
 * One sending of a request. It replaces a chain of promises with a closure per step, which costs more than the rest of
 * a call.
 */
export class SentRequest implements PendingRequest {
  sentAt = 0;
  progressAt: number | undefined = undefined;
  timer: SharedTimer | undefined = undefined;
  release: (() => void) | undefined = undefined;
  readonly method: string;
  readonly request: ClientRequest;
  readonly waiting: WaitOptions;
  /** The agreement it was sent under; undefined on a retry. */
  readonly agreement: Agreement | undefined;
  readonly #host: SentRequestHost;

  constructor(host: SentRequestHost, request: ClientRequest, waiting: WaitOptions, agreement: Agreement | undefined) {
    this.method = request.method;
    this.request = request;
    this.waiting = waiting;
    this.agreement = agreement;
    this.#host = host;
  }

  resolve(result: Result): void {
    this.#host.onResult(this.request, result);
  }

  reject(error: Error): void {
    this.#host.onFailure(this, error);
  }
}
