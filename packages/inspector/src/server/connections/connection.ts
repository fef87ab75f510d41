import { limits, type LogLevel } from '@ccmcp/core';
import { appsClient } from '@ccmcp/core/apps';
import { type Change, type Client, type ConnectOptions, type HttpAuth, HttpError } from '@ccmcp/core/client';
import { tasksClient } from '@ccmcp/core/tasks';
import type { Connection, ConnectionStatus, ConnectionSettings, Root, ServerFacts } from '../../shared/connections.ts';
import type { ListKind } from '../../shared/lists.ts';
import type { Filter } from '../../shared/subscriptions.ts';
import type { IdGenerator } from '../id-generator.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { describeTarget, RequestError, type Target } from '../targets.ts';
import { negotiatingStatus, initialStatus } from './connection-info.ts';
import type { CallHost, Calls } from './calls.ts';
import { coalesce } from './coalesce.ts';
import { Exchanges } from './exchanges.ts';
import { explainError } from './explain-error.ts';
import { listKinds, Lists } from './lists.ts';
import { openClient } from './open-client.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { Questions } from './questions.ts';
import { ResourceReader } from './coalesce.ts';
import { describeServer } from './connection-info.ts';
import { Subscriptions } from './subscriptions.ts';
import { mergeSettings, maskSettings } from './connection-info.ts';
import { MessageTracker } from './message-tracker.ts';

/** Services shared by all connections. */
export interface ConnectionContext {
  readonly log: EventLog;
  readonly ids: IdGenerator;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly signIns: Pick<SignIns, 'authFor'>;
  readonly version: string;
}

/** Options of a connection. */
export interface ConnectionOptions {
  readonly id: string;
  readonly label: string;
  readonly target: Target;
  /** Id of the target, if it has one. */
  readonly known: string | undefined;
  readonly terms: ConnectionSettings;
}

const maxStderr = 4000;
const maxReconnects = limits.inspector.reconnects.value;
const firstBackoffMs = 500;
const pingTimeoutMs = 5000;
const minWatchMs = 5000;

/** A connection to a server, with its lists, subscriptions and status. */
export class ServerConnection implements CallHost {
  readonly id: string;
  readonly label: string;
  readonly target: Target;
  readonly lists: Lists;
  readonly subscriptions: Subscriptions;
  readonly #context: ConnectionContext;
  readonly #targetId: string | undefined;
  readonly #tracker: MessageTracker;
  readonly #exchanges: Exchanges;
  #settings: ConnectionSettings;
  #status: ConnectionStatus;
  #client: Client | undefined;
  #facts: ServerFacts | undefined;
  /** Aborts the current attempt; each attempt has its own. */
  #attempt = new AbortController();
  /** Resolves when all clients are closed. */
  #closing: Promise<void> = Promise.resolve();
  #stderr = '';
  /** Coalesces reloads: a server may announce changes faster than it lists. */
  readonly #reload: Readonly<Record<ListKind, () => void>>;
  /** Whether list changes are subscribed to. */
  #isWatching = false;
  /** Credentials from signing in. */
  auth: HttpAuth | undefined;

  constructor(context: ConnectionContext, { id, label, target, known: targetId, terms: settings }: ConnectionOptions) {
    const { log, ids } = context;
    this.#context = context;
    this.id = id;
    this.label = label;
    this.target = target;
    this.#targetId = targetId;
    this.#settings = settings;
    this.#status = initialStatus(this.target);
    this.auth = target.kind === 'url' ? context.signIns.authFor(target.url) : undefined;
    this.lists = new Lists(log, id);
    this.subscriptions = new Subscriptions(log, ids, id);
    const reload = (kind: ListKind): (() => void) =>
      coalesce(async () => {
        if (this.#client !== undefined) await this.loadList(kind, true);
      });
    this.#reload = {
      tools: reload('tools'),
      resources: reload('resources'),
      templates: reload('templates'),
      prompts: reload('prompts'),
    };
    this.#tracker = new MessageTracker(log, id);
    this.#exchanges = new Exchanges(log, ids, {
      owner: { connection: id },
      wire: this.#tracker,
      heard: () => this.#onReached(),
    });
  }

  get status(): ConnectionStatus['is'] {
    return this.#status.is;
  }

  get terms(): ConnectionSettings {
    return this.#settings;
  }

  /** The negotiated revision, if known. */
  get revision(): string | undefined {
    return this.#facts?.protocolVersion;
  }

  /** The target with the settings' headers and the credentials from signing in. */
  get effectiveTarget(): Target {
    const { target, auth } = this;
    if (target.kind !== 'url') return target;
    const headers = { ...target.headers, ...this.#settings.headers };
    return { ...target, headers, ...(auth !== undefined && { auth: async () => auth }) };
  }

  /** Target of the doctor: the effective target, or the public URL of an in-process server. */
  get doctorTarget(): Target {
    const { target, label } = this;
    if (target.kind !== 'own' || target.address === undefined) return this.effectiveTarget;
    const auth = this.#context.signIns.authFor(target.address);
    return { kind: 'url', url: target.address, label, ...(auth !== undefined && { auth: async () => auth }) };
  }

  get client(): Client {
    this.assertConnected();
    return this.#client as Client;
  }

  /** Throws without a connection. */
  assertConnected(): void {
    if (this.#client === undefined) throw new RequestError(`${this.label} is not connected`, 'Connect it first.', 409);
  }

  /** Connects or reconnects; events report the progress. */
  async open(settings?: ConnectionSettings): Promise<void> {
    const left = this.#disconnect();
    if (settings !== undefined) this.#settings = mergeSettings(this.#settings, settings);
    // Assigned before awaiting: opening or closing meanwhile aborts this attempt.
    const attempt = new AbortController();
    this.#attempt = attempt;
    await left;
    if (attempt.signal.aborted) return;
    this.#stderr = '';
    this.#exchanges.clearRecent();
    this.#setStatus(initialStatus(this.target));
    try {
      const client = await openClient({
        target: this.target,
        terms: this.#settings,
        wire: this.#tracker,
        exchanges: this.#exchanges,
        options: this.#options(attempt),
        auth: this.auth,
        heard: () => this.#onReached(),
        stderr: (text) => this.#onStderr(text),
      });
      if (attempt.signal.aborted) {
        await client.close();
        return;
      }
      this.#client = client;
      this.#facts = describeServer(client, this.target);
      this.#setStatus({ is: 'connected', since: now() });
      await this.#loadLists(client);
    } catch (error) {
      if (!attempt.signal.aborted) this.#fail(error);
    }
  }

  /** Closes the connection, or aborts the attempt. */
  async close(): Promise<void> {
    await this.#disconnect();
    this.#setStatus({ is: 'closed', since: now() });
  }

  started(call: string): void {
    this.#tracker.started(call);
  }

  ended(call: string, outcome: string): void {
    this.#tracker.ended(call);
    if (outcome === 'lost' && this.#status.is === 'connected' && this.target.kind === 'url') void this.#reconnect();
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
        this.#onChange(change);
        if (change.kind === 'resource') readings?.read(change.uri);
      },
    });
  }

  async #read(client: Client, uri: string): Promise<void> {
    if (this.#client !== client) return;
    const wish = { method: 'resources/read', params: { uri } };
    await this.#context.calls.startOwn(this, wish, () => client.request(wish.method, wish.params, { retries: 0 }));
  }

  async setRoots(roots: readonly Root[]): Promise<void> {
    this.#settings = { ...this.#settings, roots };
    this.#logState();
    await this.#client?.rootsChanged();
  }

  async setLogLevel(level: string): Promise<void> {
    await this.client.setLogLevel(level as LogLevel);
    this.#settings = { ...this.#settings, logLevel: level };
    this.#logState();
  }

  #options(attempt: AbortController): ConnectOptions {
    const { log, questions, version } = this.#context;
    const {
      era = 'auto',
      version: revision,
      timeoutMs,
      logLevel,
      sampling = true,
      elicitation = true,
    } = this.#settings;
    return {
      clientInfo: { name: 'ccmcp-inspector', version },
      extensions: [{ id: 'io.modelcontextprotocol/skills' }, appsClient, tasksClient()],
      era,
      ...(revision !== undefined && { version: revision }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(logLevel !== undefined && { logLevel: logLevel as LogLevel }),
      // Every request reaches the server, and results are shown as received.
      cache: false,
      checkOutput: false,
      retries: 0,
      observers: [this.#tracker.observer],
      signal: attempt.signal,
      roots: () => [...(this.#settings.roots ?? [])],
      ...(elicitation && {
        elicit: (question, { signal }) => questions.elicit(this.id, question, signal),
        elicitUrl: (question, { signal }) => questions.elicitUrl(this.id, question, signal),
      }),
      ...(sampling && {
        sample: (question, { signal }) => questions.sample(this.id, question, signal),
        capabilities: { sampling: { tools: {} } },
      }),
      onWarning: (says) => void log.add('warning', { connection: this.id, says: says.slice(0, 2000) }),
      onClose: (reason) => {
        if (this.#attempt === attempt && !attempt.signal.aborted) this.#onLost(reason);
      },
    };
  }

  /** Loads all lists, then subscribes to their changes. */
  async #loadLists(client: Client): Promise<void> {
    await Promise.all(listKinds.map((kind) => this.loadList(kind)));
    if (this.#client === client) this.#watch(client);
  }

  /** Subscribes to list changes. Over HTTP this also detects a lost server. */
  #watch(client: Client): void {
    const { tools, prompts, resources } = client.capabilities;
    const filter = {
      ...(tools?.listChanged === true && { tools: true }),
      ...(prompts?.listChanged === true && { prompts: true }),
      ...(resources?.listChanged === true && { resources: true }),
    };
    if (Object.keys(filter).length === 0) return;
    this.#isWatching = true;
    const since = performance.now();
    this.subscriptions.listen(client, filter, {
      onChange: (change) => this.#onChange(change),
      onLost: () => void this.#onWatchLost(client, since),
    });
  }

  /** The server is gone, or it only ended the stream. A stream that ends immediately is not reopened. */
  async #onWatchLost(client: Client, since: number): Promise<void> {
    if (this.#client !== client) return;
    this.#isWatching = false;
    if (this.#status.is !== 'connected' || this.target.kind !== 'url') return;
    const lasted = performance.now() - since;
    try {
      await client.ping({ timeoutMs: pingTimeoutMs });
      if (this.#client !== client || lasted < minWatchMs) return;
      this.#watch(client);
      for (const kind of listKinds) void this.loadList(kind, true);
    } catch {
      if (this.#client === client && this.#status.is === 'connected') void this.#reconnect();
    }
  }

  #onChange(change: Change): void {
    if (change.kind === 'resource' || this.#client === undefined) return;
    const kinds: readonly ListKind[] = change.kind === 'resources' ? ['resources', 'templates'] : [change.kind];
    for (const kind of kinds) this.#reload[kind]();
  }

  /** The server responded: negotiation starts. */
  #onReached(): void {
    if (this.#status.is === 'connecting' && this.#status.step !== 'agree')
      this.#setStatus({ ...negotiatingStatus, since: this.#status.since });
  }

  #onStderr(text: string): void {
    this.#onReached();
    this.#stderr = (this.#stderr + text).slice(-maxStderr);
    this.#context.log.add('output', { connection: this.id, text: text.slice(0, maxStderr) });
  }

  #fail(error: unknown): void {
    const { says, advice, wantsSignIn } = explainError(error, this.target.kind);
    const exchanges = [...this.#exchanges.recent];
    if (wantsSignIn && this.target.kind === 'url') {
      this.#setStatus({ is: 'needs-sign-in', since: now(), says, advice, exchanges });
      return;
    }
    const stderr = dropRepeat(this.#stderr.trim());
    this.#setStatus({ is: 'failed', since: now(), says, advice, exchanges, ...(stderr !== '' && { stderr }) });
  }

  /** A command is not restarted automatically: starting programs is up to the user. */
  #onLost(reason: Error): void {
    this.#client = undefined;
    if (this.target.kind === 'url') void this.#reconnect();
    else this.#fail(reason);
  }

  async #reconnect(): Promise<void> {
    const life = this.#attempt;
    for (let attempt = 1; attempt <= maxReconnects; attempt += 1) {
      const pause = firstBackoffMs * 2 ** (attempt - 1);
      const says = `The connection is lost; attempt ${attempt} of ${maxReconnects} to reconnect`;
      this.#setStatus({ is: 'reconnecting', since: now(), says, attempt, next: now() + pause });
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      if (this.#attempt !== life || life.signal.aborted) return;
      try {
        const client = this.#client;
        if (client === undefined) return await this.open();
        await client.ping({ timeoutMs: pingTimeoutMs });
        return await this.#onReconnected(client);
      } catch (error) {
        if (this.#attempt !== life) return;
        // The server restarted and does not know the session: connect from scratch.
        if (error instanceof HttpError) return await this.open();
        if (attempt === maxReconnects) this.#fail(error);
      }
    }
  }

  async #onReconnected(client: Client): Promise<void> {
    this.#setStatus({ is: 'connected', since: now() });
    await Promise.all(listKinds.map((kind) => this.loadList(kind)));
    if (this.#client === client && !this.#isWatching) this.#watch(client);
  }

  #disconnect(): Promise<void> {
    this.#attempt.abort(new Error('The connection is closed'));
    this.#context.calls.cancelAll(this.id);
    this.#isWatching = false;
    const client = this.#client;
    this.#client = undefined;
    // The connection ends even if the server does not cooperate.
    const closed = client?.close().catch(() => {});
    this.#closing = this.#closing.then(() => closed);
    return this.#closing;
  }

  #setStatus(status: ConnectionStatus): void {
    this.#status = status;
    this.#logState();
  }

  #logState(): void {
    const connection: Connection = {
      id: this.id,
      label: this.label,
      kind: this.target.kind,
      detail: describeTarget(this.target),
      ...(this.target.kind === 'own' && this.target.address !== undefined && { address: this.target.address }),
      ...(this.#targetId !== undefined && { target: this.#targetId }),
      terms: maskSettings(this.#settings),
      status: this.#status,
      ...(this.#facts !== undefined && { server: this.#facts }),
    };
    this.#context.log.add('connection', { connection });
  }
}

/** A command that exits immediately is started again for the older era, and repeats its stderr. */
function dropRepeat(stderr: string): string {
  const half = stderr.slice(Math.ceil(stderr.length / 2)).trim();
  return stderr === `${half}\n${half}` ? half : stderr;
}
