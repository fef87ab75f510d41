import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Agreement } from './negotiate.ts';
import type { Alarm, OpenRequest, Waiting } from './pending-requests.ts';
import type { RequestOptions } from '../request-options.ts';

/** What is special about a request to whoever makes it. */
export interface Handling {
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
export interface Asked {
  readonly method: string;
  readonly params: Params | undefined;
  readonly options: RequestOptions;
  readonly handling: Handling;
  done(result: Result | Promise<Result>): void;
  fail(error: unknown): void;
}

/** Who goes on when a call was answered, or failed. */
export interface SentRequestHost {
  answered(asked: Asked, result: Result): void;
  failed(sent: SentRequest, error: Error): void;
}

/**
 * One sending of what a program asks for. It stands in place of a chain of promises with a function for each step, which costs
 * more than the rest of a call.
 */
export class SentRequest implements OpenRequest {
  since = 0;
  progressAt: number | undefined = undefined;
  alarm: Alarm | undefined = undefined;
  release: (() => void) | undefined = undefined;
  readonly method: string;
  readonly asked: Asked;
  readonly waiting: Waiting;
  /** What was agreed when it was sent; undefined where it is sent again. */
  readonly under: Agreement | undefined;
  readonly #host: SentRequestHost;

  constructor(host: SentRequestHost, asked: Asked, waiting: Waiting, under: Agreement | undefined) {
    this.method = asked.method;
    this.asked = asked;
    this.waiting = waiting;
    this.under = under;
    this.#host = host;
  }

  resolve(result: Result): void {
    this.#host.answered(this.asked, result);
  }

  reject(error: Error): void {
    this.#host.failed(this, error);
  }
}
