import type { LogLevel } from '@ccmcp/core';
import { type Client, type HttpAuth, HttpError } from '@ccmcp/core/client';
import type { ConnectionSettings, Root } from '../../shared/connections.ts';
import type { Filter, ListKind } from '../../shared/lists.ts';
import { type EventLog, type IdGenerator, now } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';
import type { CallHost, Calls } from './calls.ts';
import { ResourceReader } from './coalesce.ts';
import { mergeSettings } from './connection-info.ts';
import { type ConnectionOptions, ConnectionState } from './connection-state.ts';
import { Exchanges } from './exchanges.ts';
import { ListWatcher } from './list-watcher.ts';
import { Lists } from './lists.ts';
import { MessageTracker } from './message-tracker.ts';
import { openClient, pingTimeoutMs } from './open-client.ts';
import type { Questions } from './questions.ts';
import { Subscriptions } from './subscriptions.ts';

/** Services shared by all connections. */
export interface ConnectionContext {
  readonly log: EventLog;
  readonly ids: IdGenerator;
  readonly calls: Calls;
  readonly questions: Questions;
  /** Credentials from signing in. */
  readonly signIns: { authFor(url: string): HttpAuth | undefined };
  readonly version: string;
}

/** Maximum number of automatic reconnects. */
const maxReconnects = 5;
const firstBackoffMs = 500;

/** A connection to a server: opens, reconnects and closes its client. */
export class ServerConnection implements CallHost {
  readonly id: string;
  readonly state: ConnectionState;
  readonly lists: Lists;
  readonly subscriptions: Subscriptions;
  readonly #context: ConnectionContext;
  readonly #tracker: MessageTracker;
  readonly #exchanges: Exchanges;
  readonly #listWatcher: ListWatcher;
  #client: Client | undefined;
  /** Aborts the current attempt; each attempt has its own. */
  #attempt = new AbortController();
  /** Resolves when all clients are closed. */
  #closing: Promise<void> = Promise.resolve();

  constructor(context: ConnectionContext, options: ConnectionOptions) {
    const { log, ids, signIns } = context;
    const { id, target } = options;
    this.#context = context;
    this.id = id;
    this.state = new ConnectionState(log, options, target.kind === 'url' ? signIns.authFor(target.url) : undefined);
    this.lists = new Lists(log, id);
    this.subscriptions = new Subscriptions(log, ids, id);
    this.#tracker = new MessageTracker(log, id);
    this.#exchanges = new Exchanges(log, ids, {
      owner: { connection: id },
      tracker: this.#tracker,
      onResponse: () => this.state.onResponse(),
    });
    this.#listWatcher = new ListWatcher({
      subscriptions: this.subscriptions,
      client: () => this.#client,
      canReconnect: () => this.#canReconnect(),
      reconnect: () => this.#reconnect(),
      loadList: (kind, isStale) => this.loadList(kind, isStale),
    });
  }

  get client(): Client {
    this.assertConnected();
    return this.#client as Client;
  }

  /** Throws without a connection. */
  assertConnected(): void {
    if (this.#client === undefined)
      throw new RequestError(`${this.state.label} is not connected`, 'Connect it first.', 409);
  }

  /** Connects or reconnects; events report the progress. */
  async open(settings?: ConnectionSettings): Promise<void> {
    const { state } = this;
    const left = this.#disconnect();
    if (settings !== undefined) state.settings = mergeSettings(state.settings, settings);
    // Assigned before awaiting: opening or closing meanwhile aborts this attempt.
    const attempt = new AbortController();
    const { signal } = attempt;
    this.#attempt = attempt;
    await left;
    if (signal.aborted) return;
    this.#exchanges.clearRecent();
    state.onAttempt();
    try {
      const client = await openClient({
        ...this.#context,
        state,
        tracker: this.#tracker,
        exchanges: this.#exchanges,
        signal,
        onClose: (reason) => {
          if (this.#attempt === attempt && !signal.aborted) this.#onLost(reason);
        },
      });
      if (signal.aborted) {
        await client.close();
        return;
      }
      this.#client = client;
      state.onConnected(client);
      await this.#listWatcher.start(client);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Closes the connection, or aborts the attempt. */
  async close(): Promise<void> {
    await this.#disconnect();
    this.state.setStatus({ is: 'closed', since: now() });
  }

  started(call: string): void {
    this.#tracker.started(call);
  }

  ended(call: string, outcome: string): void {
    this.#tracker.ended(call);
    if (outcome === 'lost' && this.#canReconnect()) void this.#reconnect();
  }

  outputSchema(tool: string): unknown {
    return this.lists.entry('tools', tool)?.outputSchema;
  }

  async loadList(kind: ListKind, isStale = false): Promise<void> {
    const { client } = this;
    if (this.lists.isAbsent(client, kind)) return;
    const method = kind === 'templates' ? 'resources/templates/list' : `${kind}/list`;
    await this.#context.calls.startOwn(this, { method }, () => this.lists.load(client, kind, { isStale }));
  }

  listen(filter: Filter, { reads }: { reads: boolean }): string {
    const { client } = this;
    const readings = reads ? new ResourceReader((uri) => this.#read(client, uri)) : undefined;
    return this.subscriptions.listen(client, filter, {
      reads,
      onOpen: ({ uris = [] }) => {
        for (const uri of uris) readings?.read(uri);
      },
      onChange: (change) => {
        this.#listWatcher.onChange(change);
        if (change.kind === 'resource') readings?.read(change.uri);
      },
    });
  }

  async #read(client: Client, uri: string): Promise<void> {
    if (this.#client !== client) return;
    const request = { method: 'resources/read', params: { uri } };
    await this.#context.calls.startOwn(this, request, () =>
      client.request(request.method, request.params, { retries: 0 }),
    );
  }

  async setRoots(roots: readonly Root[]): Promise<void> {
    this.#changeSettings({ roots });
    await this.#client?.rootsChanged();
  }

  async setLogLevel(level: string): Promise<void> {
    await this.client.setLogLevel(level as LogLevel);
    this.#changeSettings({ logLevel: level });
  }

  #changeSettings(changes: ConnectionSettings): void {
    this.state.settings = { ...this.state.settings, ...changes };
    this.state.publish();
  }

  #fail(error: unknown): void {
    this.state.onFailure(error, [...this.#exchanges.recent]);
  }

  /** A command is not restarted automatically: starting programs is up to the user. */
  #onLost(reason: Error): void {
    this.#client = undefined;
    if (this.state.target.kind === 'url') void this.#reconnect();
    else this.#fail(reason);
  }

  #canReconnect(): boolean {
    return this.state.status === 'connected' && this.state.target.kind === 'url';
  }

  async #reconnect(): Promise<void> {
    const { state } = this;
    const life = this.#attempt;
    for (let attempt = 1; attempt <= maxReconnects; attempt += 1) {
      const pause = firstBackoffMs * 2 ** (attempt - 1);
      const message = `The connection is lost; attempt ${attempt} of ${maxReconnects} to reconnect`;
      state.setStatus({ is: 'reconnecting', since: now(), message, attempt, next: now() + pause });
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      if (this.#attempt !== life || life.signal.aborted) return;
      try {
        const client = this.#client;
        if (client === undefined) return await this.open();
        await client.ping({ timeoutMs: pingTimeoutMs });
        state.setStatus({ is: 'connected', since: now() });
        return await this.#listWatcher.start(client);
      } catch (error) {
        if (this.#attempt !== life) return;
        // The server restarted and does not know the session: connect from scratch.
        if (error instanceof HttpError) return await this.open();
        if (attempt === maxReconnects) this.#fail(error);
      }
    }
  }

  #disconnect(): Promise<void> {
    this.#attempt.abort(new Error('The connection is closed'));
    this.#context.calls.cancelAll(this.id);
    this.#listWatcher.stop();
    const client = this.#client;
    this.#client = undefined;
    // The connection ends even if the server does not cooperate.
    const closed = client?.close().catch(() => {});
    this.#closing = this.#closing.then(() => closed);
    return this.#closing;
  }
}
