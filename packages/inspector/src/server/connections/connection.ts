import { limits, type LogLevel } from '@ccmcp/core';
import { appsClient } from '@ccmcp/core/apps';
import { type Change, type Client, type ConnectOptions, type HttpAuth, HttpError } from '@ccmcp/core/client';
import { tasksClient } from '@ccmcp/core/tasks';
import type { Connection, ConnectionStatus, ConnectionTerms, Root, ServerFacts } from '../../shared/connections.ts';
import type { ListKind } from '../../shared/lists.ts';
import type { Filter } from '../../shared/subscriptions.ts';
import type { Ids } from '../id-generator.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { detailOf, Refusal, type Target } from '../targets.ts';
import { agreeing, beginning } from './connection-info.ts';
import type { CallHost, Calls } from './calls.ts';
import { coalesced } from './coalesce.ts';
import { Exchanges } from './exchanges.ts';
import { explain } from './explain-error.ts';
import { listKinds, Lists } from './lists.ts';
import { openClient } from './open-client.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { Questions } from './questions.ts';
import { Readings } from './coalesce.ts';
import { serverFacts } from './connection-info.ts';
import { Subscriptions } from './subscriptions.ts';
import { mergedTerms, shownTerms } from './connection-info.ts';
import { Wire } from './message-tracker.ts';

/** What all connections share. */
export interface Surroundings {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly signIns: Pick<SignIns, 'authFor'>;
  readonly version: string;
}

/** What a connection is made of. */
export interface ConnectionWish {
  readonly id: string;
  readonly label: string;
  readonly target: Target;
  /** The id of the target, where it has one. */
  readonly known: string | undefined;
  readonly terms: ConnectionTerms;
}

const longestStderr = 4000;
const mostReconnects = limits.inspector.reconnects.value;
const firstPauseMs = 500;
const pingMs = 5000;
const shortestWatchMs = 5000;

/** A server that somebody connects to, with all that is known of it. */
export class OpenConnection implements CallHost {
  readonly id: string;
  readonly label: string;
  readonly target: Target;
  readonly lists: Lists;
  readonly subscriptions: Subscriptions;
  readonly #around: Surroundings;
  readonly #known: string | undefined;
  readonly #wire: Wire;
  readonly #exchanges: Exchanges;
  #terms: ConnectionTerms;
  #status: ConnectionStatus;
  #client: Client | undefined;
  #facts: ServerFacts | undefined;
  /** Ends what is under way; another for each attempt. */
  #life = new AbortController();
  /** Over when no client is left that is still being closed. */
  #left: Promise<void> = Promise.resolve();
  #stderr = '';
  /** A server may tell of changes faster than it lists. */
  readonly #reload: Readonly<Record<ListKind, () => void>>;
  /** Whether the server is listened to for changes of its lists. */
  #isWatching = false;
  /** Got by signing in: used from then on. */
  auth: HttpAuth | undefined;

  constructor(around: Surroundings, { id, label, target, known, terms }: ConnectionWish) {
    const { log, ids } = around;
    this.#around = around;
    this.id = id;
    this.label = label;
    this.target = target;
    this.#known = known;
    this.#terms = terms;
    this.#status = beginning(this.target);
    this.auth = target.kind === 'url' ? around.signIns.authFor(target.url) : undefined;
    this.lists = new Lists(log, id);
    this.subscriptions = new Subscriptions(log, ids, id);
    const reload = (kind: ListKind): (() => void) =>
      coalesced(async () => {
        if (this.#client !== undefined) await this.loadList(kind, true);
      });
    this.#reload = {
      tools: reload('tools'),
      resources: reload('resources'),
      templates: reload('templates'),
      prompts: reload('prompts'),
    };
    this.#wire = new Wire(log, id);
    this.#exchanges = new Exchanges(log, ids, {
      owner: { connection: id },
      wire: this.#wire,
      heard: () => this.#reached(),
    });
  }

  get status(): ConnectionStatus['is'] {
    return this.#status.is;
  }

  get terms(): ConnectionTerms {
    return this.#terms;
  }

  /** The revision that is spoken, where that is known. */
  get revision(): string | undefined {
    return this.#facts?.protocolVersion;
  }

  /** The target with the headers that the page gave, and with what was got by signing in. */
  get reached(): Target {
    const { target, auth } = this;
    if (target.kind !== 'url') return target;
    const headers = { ...target.headers, ...this.#terms.headers };
    return { ...target, headers, ...(auth !== undefined && { auth: async () => auth }) };
  }

  /** What is examined: what is reached, or what others reach of a server that runs in this process. */
  get examined(): Target {
    const { target, label } = this;
    if (target.kind !== 'own' || target.address === undefined) return this.reached;
    const auth = this.#around.signIns.authFor(target.address);
    return { kind: 'url', url: target.address, label, ...(auth !== undefined && { auth: async () => auth }) };
  }

  get client(): Client {
    this.assertConnected();
    return this.#client as Client;
  }

  /** Refuses what needs a connection where there is none. */
  assertConnected(): void {
    if (this.#client === undefined) throw new Refusal(`${this.label} is not connected`, 'Connect it first.', 409);
  }

  /** Connects, also where it was connected before; tells by events how that goes. */
  async open(terms?: ConnectionTerms): Promise<void> {
    const left = this.#leave();
    if (terms !== undefined) this.#terms = mergedTerms(this.#terms, terms);
    // From now on: whoever opens or closes it while it is being left ends this attempt.
    const life = new AbortController();
    this.#life = life;
    await left;
    if (life.signal.aborted) return;
    this.#stderr = '';
    this.#exchanges.forget();
    this.#say(beginning(this.target));
    try {
      const client = await openClient({
        target: this.target,
        terms: this.#terms,
        wire: this.#wire,
        exchanges: this.#exchanges,
        options: this.#options(life),
        auth: this.auth,
        heard: () => this.#reached(),
        stderr: (text) => this.#heard(text),
      });
      if (life.signal.aborted) {
        await client.close();
        return;
      }
      this.#client = client;
      this.#facts = serverFacts(client, this.target);
      this.#say({ is: 'connected', since: now() });
      await this.#lookAround(client);
    } catch (error) {
      if (!life.signal.aborted) this.#failed(error);
    }
  }

  /** Ends the connection, or the attempt to make it. */
  async close(): Promise<void> {
    await this.#leave();
    this.#say({ is: 'closed', since: now() });
  }

  started(call: string): void {
    this.#wire.started(call);
  }

  ended(call: string, outcome: string): void {
    this.#wire.ended(call);
    if (outcome === 'lost' && this.#status.is === 'connected' && this.target.kind === 'url') void this.#comeBack();
  }

  outputSchema(tool: string): unknown {
    return this.lists.entry('tools', tool)?.outputSchema;
  }

  async loadList(kind: ListKind, isStale = false): Promise<void> {
    const { client } = this;
    if (this.lists.isAbsent(client, kind)) return;
    const method = kind === 'templates' ? 'resources/templates/list' : `${kind}/list`;
    await this.#around.calls.own(this, { method }, () => this.lists.load(client, kind, { isStale }));
  }

  listen(filter: Filter, { reads }: { reads: boolean }): string {
    const { client } = this;
    const readings = reads ? new Readings((uri) => this.#read(client, uri)) : undefined;
    return this.subscriptions.listen(client, filter, {
      reads,
      onOpen: ({ uris = [] }) => {
        for (const uri of uris) readings?.read(uri);
      },
      onChange: (change) => {
        this.#changed(change);
        if (change.kind === 'resource') readings?.read(change.uri);
      },
    });
  }

  async #read(client: Client, uri: string): Promise<void> {
    if (this.#client !== client) return;
    const wish = { method: 'resources/read', params: { uri } };
    await this.#around.calls.own(this, wish, () => client.request(wish.method, wish.params, { retries: 0 }));
  }

  async setRoots(roots: readonly Root[]): Promise<void> {
    this.#terms = { ...this.#terms, roots };
    this.#tell();
    await this.#client?.rootsChanged();
  }

  async setLogLevel(level: string): Promise<void> {
    await this.client.setLogLevel(level as LogLevel);
    this.#terms = { ...this.#terms, logLevel: level };
    this.#tell();
  }

  #options(life: AbortController): ConnectOptions {
    const { log, questions, version } = this.#around;
    const { era = 'auto', version: revision, timeoutMs, logLevel, sampling = true, elicitation = true } = this.#terms;
    return {
      clientInfo: { name: 'ccmcp-inspector', version },
      extensions: [{ id: 'io.modelcontextprotocol/skills' }, appsClient, tasksClient()],
      era,
      ...(revision !== undefined && { version: revision }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(logLevel !== undefined && { logLevel: logLevel as LogLevel }),
      // Everything is asked for when it is wanted, and shown as it came.
      cache: false,
      checkOutput: false,
      retries: 0,
      observers: [this.#wire.observer],
      signal: life.signal,
      roots: () => [...(this.#terms.roots ?? [])],
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
        if (this.#life === life && !life.signal.aborted) this.#lost(reason);
      },
    };
  }

  /** Asks for all that there is to list, and to be told when that changes. */
  async #lookAround(client: Client): Promise<void> {
    await Promise.all(listKinds.map((kind) => this.loadList(kind)));
    if (this.#client === client) this.#watch(client);
  }

  /** Listens for changes of lists. Over HTTP that is also how it is noticed that a server is away. */
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
      onChange: (change) => this.#changed(change),
      onLost: () => void this.#watchedNoMore(client, since),
    });
  }

  /** The server may be away, or has only had enough of telling. One that has so at once is not asked again. */
  async #watchedNoMore(client: Client, since: number): Promise<void> {
    if (this.#client !== client) return;
    this.#isWatching = false;
    if (this.#status.is !== 'connected' || this.target.kind !== 'url') return;
    const lasted = performance.now() - since;
    try {
      await client.ping({ timeoutMs: pingMs });
      if (this.#client !== client || lasted < shortestWatchMs) return;
      this.#watch(client);
      for (const kind of listKinds) void this.loadList(kind, true);
    } catch {
      if (this.#client === client && this.#status.is === 'connected') void this.#comeBack();
    }
  }

  #changed(change: Change): void {
    if (change.kind === 'resource' || this.#client === undefined) return;
    const kinds: readonly ListKind[] = change.kind === 'resources' ? ['resources', 'templates'] : [change.kind];
    for (const kind of kinds) this.#reload[kind]();
  }

  /** The other side was heard: what remains is to agree with it. */
  #reached(): void {
    if (this.#status.is === 'connecting' && this.#status.step !== 'agree')
      this.#say({ ...agreeing, since: this.#status.since });
  }

  #heard(text: string): void {
    this.#reached();
    this.#stderr = (this.#stderr + text).slice(-longestStderr);
    this.#around.log.add('output', { connection: this.id, text: text.slice(0, longestStderr) });
  }

  #failed(error: unknown): void {
    const { says, advice, wantsSignIn } = explain(error, this.target.kind);
    const exchanges = [...this.#exchanges.recent];
    if (wantsSignIn && this.target.kind === 'url') {
      this.#say({ is: 'needs-sign-in', since: now(), says, advice, exchanges });
      return;
    }
    const stderr = ofLastStart(this.#stderr.trim());
    this.#say({ is: 'failed', since: now(), says, advice, exchanges, ...(stderr !== '' && { stderr }) });
  }

  /** A server on a pipe does not come back by itself, and starting programs is for people. */
  #lost(reason: Error): void {
    this.#client = undefined;
    if (this.target.kind === 'url') void this.#comeBack();
    else this.#failed(reason);
  }

  async #comeBack(): Promise<void> {
    const life = this.#life;
    for (let attempt = 1; attempt <= mostReconnects; attempt += 1) {
      const pause = firstPauseMs * 2 ** (attempt - 1);
      const says = `The connection is lost; attempt ${attempt} of ${mostReconnects} to come back`;
      this.#say({ is: 'reconnecting', since: now(), says, attempt, next: now() + pause });
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      if (this.#life !== life || life.signal.aborted) return;
      try {
        const client = this.#client;
        if (client === undefined) return await this.open();
        await client.ping({ timeoutMs: pingMs });
        return await this.#cameBack(client);
      } catch (error) {
        if (this.#life !== life) return;
        // It is there again, and knows nothing of us: that is no break, but a new beginning.
        if (error instanceof HttpError) return await this.open();
        if (attempt === mostReconnects) this.#failed(error);
      }
    }
  }

  async #cameBack(client: Client): Promise<void> {
    this.#say({ is: 'connected', since: now() });
    await Promise.all(listKinds.map((kind) => this.loadList(kind)));
    if (this.#client === client && !this.#isWatching) this.#watch(client);
  }

  #leave(): Promise<void> {
    this.#life.abort(new Error('The connection is closed'));
    this.#around.calls.cancelAll(this.id);
    this.#isWatching = false;
    const client = this.#client;
    this.#client = undefined;
    // It is left in any case, whatever the server makes of that.
    const closed = client?.close().catch(() => {});
    this.#left = this.#left.then(() => closed);
    return this.#left;
  }

  #say(status: ConnectionStatus): void {
    this.#status = status;
    this.#tell();
  }

  #tell(): void {
    const connection: Connection = {
      id: this.id,
      label: this.label,
      kind: this.target.kind,
      detail: detailOf(this.target),
      ...(this.target.kind === 'own' && this.target.address !== undefined && { address: this.target.address }),
      ...(this.#known !== undefined && { target: this.#known }),
      terms: shownTerms(this.#terms),
      status: this.#status,
      ...(this.#facts !== undefined && { server: this.#facts }),
    };
    this.#around.log.add('connection', { connection });
  }
}

/** A program that ends at once is started a second time, in the older way, and then says the same again. */
function ofLastStart(stderr: string): string {
  const half = stderr.slice(Math.ceil(stderr.length / 2)).trim();
  return stderr === `${half}\n${half}` ? half : stderr;
}
