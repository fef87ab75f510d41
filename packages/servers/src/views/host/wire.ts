import { isMessage, type Message } from './messages.ts';

/** A request that the host refused, or did not answer. The message is for people. */
export class HostError extends Error {
  override name = 'HostError';

  constructor(
    message: string,
    readonly code?: number,
  ) {
    super(message);
  }
}

/** What a tool could not do, in its own words. */
export class ToolProblem extends HostError {
  override name = 'ToolProblem';
}

/** Who takes what the host sends of its own accord. */
export interface WireHandler {
  /** Gives the result of a request; undefined where there is no such method. */
  serve(method: string, params: Record<string, unknown>): Promise<object | undefined> | object | undefined;
  hear(method: string, params: Record<string, unknown>): void;
}

const patienceMs = 60_000;

/** JSON-RPC with the window around this one. */
export class Wire {
  readonly #open = new Map<string | number, (message: Message) => void>();
  readonly #taker: WireHandler;
  #last = 0;

  constructor(taker: WireHandler) {
    this.#taker = taker;
    addEventListener('message', ({ source, data }) => {
      if (source === parent && source !== window && isMessage(data)) this.#take(data);
    });
  }

  /** Sends a request and gives its result. Throws a `HostError`. */
  request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#open.delete(id);
        reject(new HostError(`The host did not answer within ${patienceMs / 1000} seconds`));
      }, patienceMs);
      this.#open.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (result !== undefined) resolve(result);
        else reject(new HostError(error?.message ?? 'The host sent an answer that is none', error?.code));
      });
      this.#post({ jsonrpc: '2.0', id, method, params: { ...params } });
    });
  }

  notify(method: string, params: object): void {
    this.#post({ jsonrpc: '2.0', method, params: { ...params } });
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      const settle = id === undefined ? undefined : this.#open.get(id);
      if (id !== undefined) this.#open.delete(id);
      settle?.(message);
    } else if (id === undefined) this.#taker.hear(method, params);
    else void this.#answer(id, method, params);
  }

  async #answer(id: string | number, method: string, params: Record<string, unknown>): Promise<void> {
    try {
      const result = await this.#taker.serve(method, params);
      if (result === undefined) {
        this.#post({ jsonrpc: '2.0', id, error: { code: -32601, message: `This view has no method "${method}"` } });
      } else this.#post({ jsonrpc: '2.0', id, result: { ...result } });
    } catch (error) {
      this.#post({ jsonrpc: '2.0', id, error: { code: -32603, message: (error as Error).message } });
    }
  }

  /** To any origin: a view can't know its host's, and says nothing that its host does not know. */
  #post(message: Message): void {
    parent.postMessage(message, '*');
  }
}
