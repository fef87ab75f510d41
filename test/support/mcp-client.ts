import { expect } from 'vitest';

export interface JsonRpcMessage {
  jsonrpc: '2.0';
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely in tests
  result?: any;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** Carries texts between a client and a server. */
export interface Wire {
  send(message: unknown): void;
  /** Called once, before anything is sent. */
  receive(listener: (message: JsonRpcMessage) => void): void;
  /** Resolves when messages without a response have arrived, if that takes time. */
  settled?(): Promise<unknown>;
  close(): Promise<void>;
}

export interface ClientOptions {
  /** Its revision. */
  version: string;
  capabilities?: Record<string, unknown>;
  /** Answers questions of the server: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
  answer?: (method: string, params: Record<string, unknown> | undefined) => unknown;
  /** `_meta` of every request, beside what the revision needs. */
  meta?: Record<string, unknown>;
}

const M = 'io.modelcontextprotocol/';
const clientInfo = { name: 'test-client', version: '1.0.0' };

/** A small client for tests: speaks any revision over any wire, and records all that it receives. */
export class McpClient {
  /** All messages of the server, in order. */
  readonly received: JsonRpcMessage[] = [];
  readonly #waiting = new Set<() => void>();
  #unread: JsonRpcMessage[] = [];
  #lastId = 0;

  constructor(
    readonly wire: Wire,
    readonly options: ClientOptions,
  ) {
    wire.receive((message) => this.#take(message));
  }

  get stateless(): boolean {
    return this.options.version >= '2026';
  }

  /** Runs the handshake, if the revision has one; returns the server's response. */
  async initialize(): Promise<JsonRpcMessage> {
    if (this.stateless) return this.sendRequest('server/discover');
    const { version: protocolVersion, capabilities = {} } = this.options;
    const answer = await this.sendRequest('initialize', { protocolVersion, capabilities, clientInfo });
    this.sendNotification('notifications/initialized');
    await this.wire.settled?.();
    return answer;
  }

  /** Sends a request and waits for the response with its id. */
  async sendRequest(
    method: string,
    params?: Record<string, unknown>,
    id: string | number = ++this.#lastId,
  ): Promise<JsonRpcMessage> {
    this.post(method, params, id);
    return this.answerTo(id);
  }

  /** Sends a request without waiting. */
  post(method: string, params?: Record<string, unknown>, id: string | number = ++this.#lastId): string | number {
    this.wire.send({ jsonrpc: '2.0', id, method, ...this.#withMeta(params) });
    return id;
  }

  /** Waits for the response to a posted request; null: to one without a readable id. */
  answerTo(id: string | number | null): Promise<JsonRpcMessage> {
    return this.#next((message) => message.id === id && message.method === undefined);
  }

  /** Like `sendRequest`, but answers questions as long as the server asks for input; returns the final result. */
  // oxlint-disable-next-line typescript/no-explicit-any -- results are looked into freely in tests
  async request(method: string, params: Record<string, unknown> = {}): Promise<any> {
    let more: Record<string, unknown> = {};
    for (let round = 0; round < 10; round += 1) {
      const { result, error } = await this.sendRequest(method, { ...params, ...more });
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      if (result.resultType !== 'input_required') return result;
      const inputResponses: Record<string, unknown> = {};
      for (const [key, question] of Object.entries<JsonRpcMessage>(result.inputRequests ?? {})) {
        inputResponses[key] = this.options.answer?.(question.method as string, question.params);
      }
      more = { inputResponses, ...(result.requestState !== undefined && { requestState: result.requestState }) };
    }
    throw new Error('The server never stopped asking');
  }

  /** Sends a notification, with `_meta` if the revision requires it. */
  notify(method: string, params?: Record<string, unknown>): void {
    this.wire.send({ jsonrpc: '2.0', method, ...this.#withMeta(params) });
  }

  /** Sends a notification unchanged. */
  sendNotification(method: string, params?: Record<string, unknown>): void {
    this.wire.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
  }

  /** Waits for the next unread notification with this method and matching params. */
  readNotification(
    method: string,
    fits: (params: Record<string, unknown>) => boolean = () => true,
  ): Promise<JsonRpcMessage> {
    return this.#next((message) => message.method === method && message.id === undefined && fits(message.params ?? {}));
  }

  /** Waits for the next batch of responses. */
  async readBatch(): Promise<JsonRpcMessage[]> {
    return (await this.#next(Array.isArray)) as unknown as JsonRpcMessage[];
  }

  /** All notifications with this method so far, read or not. */
  notifications(method: string): JsonRpcMessage[] {
    return this.received.filter((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  #withMeta(params: Record<string, unknown> | undefined): { params?: Record<string, unknown> } {
    if (!this.stateless) {
      if (this.options.meta === undefined) return params === undefined ? {} : { params };
      return { params: { ...params, _meta: { ...this.options.meta, ...(params?._meta as object) } } };
    }
    const _meta = {
      [`${M}protocolVersion`]: this.options.version,
      [`${M}clientCapabilities`]: this.options.capabilities ?? {},
      [`${M}clientInfo`]: clientInfo,
      ...this.options.meta,
      ...(params?._meta as object | undefined),
    };
    return { params: { ...params, _meta } };
  }

  #take(message: JsonRpcMessage): void {
    this.received.push(message);
    if (message.method !== undefined && message.id !== undefined) {
      void this.#reply(message);
      return;
    }
    this.#unread.push(message);
    for (const wake of Array.from(this.#waiting)) wake();
  }

  async #reply({ id, method, params }: JsonRpcMessage): Promise<void> {
    if (method === 'ping') {
      this.wire.send({ jsonrpc: '2.0', id, result: {} });
      return;
    }
    const result = await this.options.answer?.(method as string, params);
    if (result !== undefined) this.wire.send({ jsonrpc: '2.0', id, result });
  }

  #next(fits: (message: JsonRpcMessage) => boolean): Promise<JsonRpcMessage> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.#unread.find(fits);
        if (found === undefined) return;
        this.#unread = this.#unread.filter((message) => message !== found);
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** Expects a response to be an error with this code, and returns it. */
export function expectError(answer: JsonRpcMessage, code: number): { code: number; message: string; data?: unknown } {
  expect(answer.error).toMatchObject({ code });
  return answer.error as { code: number; message: string };
}
