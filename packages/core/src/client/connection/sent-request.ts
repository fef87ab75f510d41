import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Agreement } from './negotiate.ts';
import type { SharedTimer, PendingRequest, WaitOptions } from './pending-requests.ts';
import type { RequestOptions } from '../request-options.ts';

/** What is special about a request to whoever makes it. */
export interface RequestHooks {
  /** True: the result is given as it came, final or not. */
  readonly raw?: boolean;
  /** Told if the result takes more than one round. */
  onRounds?(): void;
  /** Makes of the final result what the caller gets. */
  finish?(result: Result, params: Params | undefined): Result | Promise<Result>;
  /** Goes on after an error, or throws it. */
  recover?(error: unknown, params: Params | undefined, options: RequestOptions): Promise<Result>;
}

/** What a program asks for, and who waits for it. */
export interface ClientRequest {
  readonly method: string;
  readonly params: Params | undefined;
  readonly options: RequestOptions;
  readonly hooks: RequestHooks;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** Who goes on when a call was answered, or failed. */
export interface SentRequestHost {
  onResult(request: ClientRequest, result: Result): void;
  onFailure(sent: SentRequest, error: Error): void;
}

/**
 * One sending of what a program asks for. It stands in place of a chain of promises with a function for each step, which costs
 * more than the rest of a call.
 */
export class SentRequest implements PendingRequest {
  sentAt = 0;
  progressAt: number | undefined = undefined;
  timer: SharedTimer | undefined = undefined;
  release: (() => void) | undefined = undefined;
  readonly method: string;
  readonly request: ClientRequest;
  readonly waiting: WaitOptions;
  /** What was agreed when it was sent; undefined where it is sent again. */
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
