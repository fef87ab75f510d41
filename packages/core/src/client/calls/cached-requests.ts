import type { Params } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Connection } from '../connection/connection.ts';
import type { RequestOptions } from '../request-options.ts';
import { ResponseCache } from './response-cache.ts';

/** Requests whose responses are cached, until they expire, the server reports a change or its session is lost. */
export class CachedRequests {
  readonly #connection: Connection;
  readonly #cache = new ResponseCache();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.incoming.changeListeners.add((change) => this.#cache.invalidate(change));
    connection.lifecycle.sessionRestorers.add(async () => this.#cache.clear());
  }

  async request(method: string, params: Params | undefined, options: RequestOptions = {}): Promise<Result> {
    const isCaching = this.#connection.options.cache !== false;
    const cached = isCaching && options.fresh !== true ? this.#cache.get(method, params) : undefined;
    if (cached !== undefined) return cached;
    let rounds = 0;
    const onRounds = (): void => {
      rounds += 1;
    };
    const result = await this.#connection.request(method, params, options, { onRounds });
    // A result that depends on a person's input is for that one request.
    if (rounds === 0 && isCaching) this.#cache.put(method, params, result);
    return result;
  }

  /** Requests one page of a list; without a cursor, the first one. */
  requestPage(method: string, cursor: string | undefined, options: RequestOptions | undefined): Promise<Result> {
    return this.request(method, cursor === undefined ? undefined : { cursor }, options);
  }
}
