import {
  type Auth,
  createServer,
  limits,
  type ListSource,
  type Operation,
  type Outcome,
  ProtocolError,
  type Result,
  type Server,
  type ServerExtension,
  type Tool,
} from '@ccmcp/core';
import {
  type Change,
  type Client,
  ConnectionError,
  type ConnectOptions,
  type HttpClientOptions,
  httpTransport,
  memoryTransport,
  type Params,
  type Serving,
  type SpawnOptions,
  spawn,
  sseTransport,
  type Transport,
} from '@ccmcp/core/client';
import { apps, appsClient } from '@ccmcp/core/apps';
import { groups } from '@ccmcp/core/groups';
import { skillsClient } from '@ccmcp/core/skills';
import { tasks, tasksClient } from '@ccmcp/core/tasks';
import { signInKey } from './ask-to-sign-in.ts';
import { CallerRemotes } from './caller-remotes.ts';
import type { BackoffOptions } from './circuit-breaker.ts';
import { CallSender, failure, type GatewayState } from './call-sender.ts';
import { type Kind, Lists } from './lists.ts';
import { askableOf } from './messages.ts';
import { type NameOptions, Names } from './names.ts';
import { OpenElicitations } from './open-elicitations.ts';
import { PassedCall } from './passed-call.ts';
import { PassedSkills } from './passed-skills.ts';
import { SignInTool } from './sign-in-tool.ts';
import type { CallerCredentials } from './sign-ins.ts';
import { SuspendedCalls } from './suspended-calls.ts';
import { type ToolOverrideOptions, ToolOverrides } from './tool-overrides.ts';
import { findUnknownNames } from './unknown-names.ts';
import { Upstream } from './upstream.ts';
import { tasksId } from './upstream-task.ts';
import { type UriOptions, Uris } from './uris.ts';
import { type Front, WatchedResources } from './watched-resources.ts';

/** Where an upstream is: a command to run, a URL, a server of this process, or a transport of your own. */
export type RemoteTarget =
  | ({ command: string; args?: readonly string[] } & Omit<SpawnOptions, 'name' | 'tap'>)
  | ({ url: string | URL; transport?: 'http' | 'sse' } & HttpClientOptions)
  | { server: Serving }
  | { connect: () => Transport };

/** An upstream, how to reach and show it, and its limits. */
export interface RemoteOptions extends NameOptions, UriOptions, ToolOverrideOptions {
  /** The name of the upstream: in errors, in the status, and as the default prefix. */
  name: string;
  target: RemoteTarget;
  /**
   * Separate credentials per caller, for a target with a URL: each authenticated caller has their own connections and
   * lists, and others get nothing. Default: all callers share those of the target.
   */
  credentials?: CallerCredentials;
  /** The maximum number of callers with their own credentials; the least recently used are evicted. Default: 1000. */
  maxCallers?: number;
  /** The timeout of a sign-in during a call, in milliseconds. Default: 45 000. */
  signInWaitMs?: number;
  /** The identity of the gateway, and its revision. Default: the newest that the upstream supports. */
  client?: Pick<ConnectOptions, 'clientInfo' | 'era' | 'version' | 'probeMs' | 'observers' | 'logLevel'>;
  /**
   * Offers all of the upstream as one group to clients with the draft extension `io.modelcontextprotocol/groups`; others get the
   * lists as ever. Experimental. Default: no group.
   */
  group?: true | RemoteGroup;
  /** Instructions for the model. Default: those of the upstream, once it was started. */
  instructions?: string;
  /** The tasks extension for clients, with its limits. Default: that of another part, or `tasks()`. */
  tasks?: ServerExtension;
  /** How long a request may take without an answer or progress, in milliseconds. Default: 60 000. */
  timeoutMs?: number;
  /** How long a request may take in total, questions included. Default: 1 hour. */
  maxTimeoutMs?: number;
  /** How long a list request waits for an upstream that was never listed. Default: 5000. */
  listWaitMs?: number;
  /** How long a call waits for the answer of a stateless client. Default: 10 minutes. */
  answerMs?: number;
  /** The maximum number of such waiting calls. Default: 1000. */
  maxSuspended?: number;
  /** Closes the connection to an upstream that was idle for this long; `Infinity`: never. Default: 5 minutes. */
  idleMs?: number;
  /** The maximum number of connections: a handshake server that asks needs one per concurrent caller. Default: 8. */
  maxConnections?: number;
  /** The delays between attempts to connect. */
  backoff?: BackoffOptions;
}

/** The group of an upstream. */
export interface RemoteGroup {
  /** 1 to 64 of a-z and 0-9, with single hyphens between. Default: the name of the upstream, as far as it can be used. */
  name?: string;
  title?: string;
  /** What it is for and when a model needs it. */
  description?: string;
}

/** The status of an upstream. */
export interface RemoteStatus {
  readonly name: string;
  /** `idle`: not started yet, or closed when idle. `down`: lost, with a reconnect pending. */
  readonly state: 'idle' | 'starting' | 'up' | 'down';
  readonly protocolVersion: string | undefined;
  /** The number of tools shown to clients. */
  readonly tools: number;
  readonly connections: number;
  readonly activeCalls: number;
  readonly suspendedCalls: number;
  /** The median of the latest requests, in milliseconds; undefined before the first. */
  readonly latencyMs: number | undefined;
  readonly restarts: number;
  readonly lastError: string | undefined;
  /** True while the lists date from before the upstream was lost. */
  readonly stale: boolean;
  /** Errors in the options: names that the upstream does not have. */
  readonly warnings: readonly string[];
  /** The number of callers with their own connections and lists. Absent: all share them. */
  readonly callers?: number;
}

/** A server that forwards everything to an upstream: a part for `compose`, or a complete server. */
export interface Remote extends Server {
  readonly status: RemoteStatus;
  /** Closes the upstream. */
  close(): Promise<void>;
}

/** The key in `_meta` of a list that names the upstreams with stale entries. */
const staleKey = 'io.github.ccmcp/stale';

/** Serves the tasks of remotes, unless a part of the author has options for them. */
const sharedTasks = yieldToOthers(declareAlways(tasks()));

/** The maximum length of an upstream's instructions, in characters. */
const maxInstructions = 100_000;
/** Creates a part for `compose` from another server, which is started on first use. */
export function remote(options: RemoteOptions): Remote {
  checkOptions(options);
  const { credentials } = options;
  const gateway = credentials === undefined ? new Gateway(options) : new CallerGateway(options, credentials);
  const { server } = gateway;
  return Object.defineProperties(server, {
    status: { get: () => gateway.status },
    close: { value: () => gateway.close() },
  }) as Remote;
}

/** One upstream and the server that shows it, to all callers or to one. */
class Gateway {
  readonly server: Server;
  readonly skills: PassedSkills;
  readonly #options: RemoteOptions;
  readonly #upstream: Upstream;
  readonly #sender: CallSender;
  readonly #uris: Uris;
  readonly #lists: Lists;
  readonly #watched: WatchedResources;
  readonly #suspended: SuspendedCalls;
  /** Upstream tasks of calls that became no task here yet. */
  readonly #begunTasks = new WeakMap<Operation, string>();
  /** The pending read of the lists. */
  #reading: Promise<void> | undefined;
  #instructions: string | undefined;
  /** Defined until the lists were read: the kinds that the upstream reported as changed. */
  #changed: Set<Kind> | undefined;
  #isKnown = false;
  #isStale = false;

  constructor(options: RemoteOptions, front?: Front) {
    const { name, client = {} } = options;
    const { timeoutMs = limits.client.timeoutMs.value, maxTimeoutMs = limits.gateway.maxTimeoutMs.value } = options;
    this.#options = options;
    this.#uris = new Uris(name, options);
    this.skills = new PassedSkills({
      uris: this.#uris,
      fill: (operation) => this.#fill(operation),
      start: () => this.#upstream.start({}),
    });
    this.server = emptyServer(options, {
      instructions: () => options.instructions ?? this.#instructions,
      skills: this.skills.extension,
      listSource: {
        fill: (operation) => this.#fill(operation),
        meta: () => this.#meta(),
        unlisted: (uri) => this.#lists.unlisted(uri),
        unknown: () => (this.#isKnown ? undefined : whyUnknown(name, this.#upstream.lastError)),
      },
    });
    const signInWaitMs = options.signInWaitMs ?? limits.gateway.signInWaitMs.value;
    const signInTool =
      front &&
      new SignInTool({
        upstream: name,
        server: this.server,
        front,
        waitMs: signInWaitMs,
        start: async (operation) => {
          await this.#upstream.start(operation === undefined ? {} : askableOf(operation));
          await this.#reading;
        },
        isKnown: () => this.#isKnown,
        ...(options.prefix !== undefined && { prefix: options.prefix }),
      });
    this.server.use((operation, next) => (isPassed(operation) ? this.#serve(operation, next) : next()));
    const elicitations = new OpenElicitations();
    this.#upstream = new Upstream({
      name,
      transport: () => transportTo(name, options.target),
      connect: {
        ...client,
        logLevel: client.logLevel ?? 'debug',
        timeoutMs,
        maxTimeoutMs,
        checkOutput: false,
        cache: false,
        // Lists are read for all clients, including those that show views.
        extensions: [tasksClient(), appsClient, skillsClient],
        onWarning: (text) => this.server.reportError(`Upstream "${name}"`, text),
      },
      idleMs: options.idleMs ?? limits.gateway.idleMs.value,
      maxConnections: options.maxConnections ?? limits.gateway.maxConnections.value,
      backoff: options.backoff,
      elicitations,
      onPrimary: (connected) => this.#onPrimary(connected),
      onDown: () => {
        this.#isStale = true;
      },
      onSignInRequired: (required) => signInTool?.onRequired(required),
      onLog: ({ level, data, logger }) => this.server.log(level, data, logger),
      mayEnd: () => this.#reading === undefined && this.#suspended.size === 0 && this.#watched.prune(),
    });
    this.#sender = new CallSender({
      name,
      upstream: this.#upstream,
      server: this.server,
      uris: this.#uris,
      signInWaitMs,
      elicitations,
      requiresTask: (tool) => this.#lists.requiresTask(tool),
      onLinks: (uris) => this.#lists.links.add(uris),
    });
    this.#lists = new Lists({
      server: this.server,
      names: new Names(name, options),
      uris: this.#uris,
      skills: this.skills,
      overrides: new ToolOverrides(options),
      runTask: (operation) => this.#runTask(operation),
      check: (names) => findUnknownNames(options, names),
      ...(front && { onChanged: (kind) => front.server[kind].changed(front.to) }),
    });
    this.#watched = new WatchedResources({
      server: this.server,
      front: front ?? { server: this.server },
      uris: this.#uris,
      start: () => this.#upstream.start({}),
    });
    const { answerMs = limits.gateway.answerMs.value, maxSuspended: max = limits.gateway.maxSuspended.value } = options;
    this.#suspended = new SuspendedCalls({
      upstream: name,
      answerMs,
      max,
      reportError: (message, error) => this.server.reportError(message, error),
    });
  }

  get status(): RemoteStatus {
    const { usage, primary, restarts, lastError } = this.#upstream;
    return {
      name: this.#options.name,
      ...usage,
      protocolVersion: primary?.protocolVersion,
      tools: this.#lists.tools,
      latencyMs: this.#sender.latencyMs,
      suspendedCalls: this.#suspended.size,
      restarts,
      lastError: lastError?.message,
      stale: this.#isStale,
      warnings: this.#lists.warnings,
    };
  }

  async close(): Promise<void> {
    this.#watched.close();
    this.#suspended.close(new ConnectionError('The gateway is closed'));
    await this.#upstream.close();
  }

  /** Waits for unknown lists, up to a timeout: as long as for an answer, if only this upstream can serve the request. */
  #fill(operation: Operation): Promise<unknown> | undefined {
    if (this.#isKnown || this.#upstream.isDown) return undefined;
    const { listWaitMs = limits.gateway.listWaitMs.value, timeoutMs = limits.client.timeoutMs.value } = this.#options;
    const reading = this.#upstream.start(askableOf(operation)).then(() => this.#reading);
    return settleWithin(this.#lists.isMarked(operation) ? Math.max(timeoutMs, listWaitMs) : listWaitMs, reading);
  }

  #meta(): Record<string, unknown> | undefined {
    return this.#isStale || !this.#isKnown ? { [staleKey]: [this.#options.name] } : undefined;
  }

  #onPrimary(client: Client): void {
    this.#instructions = client.instructions?.slice(0, maxInstructions);
    this.#readLists(client);
    this.#watched.update();
    const onChange = ({ kind }: Change): void => {
      this.#readLists(client);
      if (kind === 'tools' || kind === 'prompts' || kind === 'resources') this.#changed?.add(kind);
    };
    client.listen({ tools: true, prompts: true, resources: true }, { onChange }).catch(() => {
      // The upstream sends no change notifications.
    });
  }

  /** Reads the lists, and again if they change meanwhile. */
  #readLists(client: Client): void {
    this.#changed ??= new Set();
    this.#reading ??= this.#read(client).finally(() => {
      this.#reading = undefined;
    });
  }

  async #read(client: Client): Promise<void> {
    while (this.#changed !== undefined) {
      const changed: Set<Kind> = this.#changed;
      this.#changed = undefined;
      try {
        await this.#lists.read(client);
      } catch (error) {
        if (client !== this.#upstream.primary) return;
        this.server.reportError(`The lists of the upstream "${this.#options.name}" can't be read`, error);
        continue;
      }
      const wasStale = this.#isStale;
      this.#isKnown = true;
      this.#isStale = false;
      if (wasStale) this.#lists.announce();
      // A list may have changed and changed back.
      this.#lists.announce(changed);
    }
  }

  #serve(operation: Operation, next: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    const filling = this.#isKnown ? undefined : this.#fill(operation);
    if (filling === undefined) return this.#pass(operation, next);
    const pass = (): Outcome | Promise<Outcome> => this.#pass(operation, next);
    return filling.then(pass, pass);
  }

  /** Forwards a request to the upstream, with upstream names. */
  #pass(operation: Operation, next: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    const state = operation.suspendedState as GatewayState | undefined;
    if (state?.upstream === this.#options.name && state.call !== undefined) return this.#resume(operation, state);
    const target = this.#targetOf(operation);
    if (target === undefined) return next();
    const rejection = rejectFixed(operation, target.fixed);
    if (rejection !== undefined) return rejection;
    if (this.#beginsTask(operation)) return next();
    const call = new PassedCall(operation, target.name);
    const more: Params = { ...target.params };
    const inputResponses = withoutSignIn(operation.params.inputResponses);
    // A question may have no state; then its answer has none either.
    const { era } = this.#upstream;
    const isOwn = state === undefined ? era === 'stateless' : state.upstream === this.#options.name;
    const isAnswered = isOwn && era !== 'handshake';
    if (isAnswered && inputResponses !== undefined) more.inputResponses = inputResponses;
    if (isAnswered && state?.requestState !== undefined) more.requestState = state.requestState;
    call.isFollowed = !takesTasks(operation);
    const outcome = this.#sender.send(call, more);
    if (!call.isFollowed) return this.#untilTask(call, outcome, next);
    return operation.era === 'handshake' || this.#upstream.era === 'stateless'
      ? outcome
      : this.#untilAsked(call, outcome);
  }

  /** True for a call that starts as a task. */
  #beginsTask(operation: Operation): boolean {
    const { job, method, params, builtInFeatures } = operation;
    if (job !== undefined) return true;
    if (method !== 'tools/call' || this.server.tools.get(params.name as string)?.task === undefined) return false;
    if (builtInFeatures.has('tasks') && typeof params.task === 'object' && params.task !== null) return true;
    return operation.supports(tasksId) && this.#upstream.era === 'handshake';
  }

  /** Waits for the result or a question. If the upstream answers with a task, the client gets one, too. */
  async #untilTask(
    call: PassedCall,
    outcome: Promise<Result>,
    next: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const result = await this.#untilAsked(call, outcome);
    if (call.taskId === undefined) return result;
    const { operation, taskId } = call;
    this.#begunTasks.set(operation, taskId);
    try {
      return await next();
    } finally {
      // Cancelled before it started.
      if (this.#begunTasks.delete(operation)) this.#sender.cancelTask(call).catch(() => {});
    }
  }

  /** Runs a task: its request was answered, and it may ask while it runs. */
  #runTask(operation: Operation): Promise<Result> {
    const target = this.#targetOf(operation);
    if (target === undefined) throw failure(this.#options.name, `The tool was removed from "${this.#options.name}"`);
    const call = new PassedCall(operation, target.name);
    call.taskId = this.#begunTasks.get(operation);
    this.#begunTasks.delete(operation);
    return this.#sender.send(call, target.params);
  }

  /** Continues a call that waits for an answer. */
  async #resume(operation: Operation, state: GatewayState): Promise<Outcome> {
    const resumed = await this.#suspended.resume(operation, state);
    if (resumed instanceof PassedCall) return this.#untilAsked(resumed, resumed.outcome as Promise<Result>);
    if ('result' in resumed) return resumed.result;
    if ('questions' in resumed) return toQuestions(operation, resumed.questions, state);
    const { code, message, data } = resumed.error;
    throw new ProtocolError(code, message, data);
  }

  /** Waits for the result, or for a question that has to travel to the client. */
  async #untilAsked(call: PassedCall, outcome: Promise<Result>): Promise<Outcome> {
    call.outcome = outcome;
    // While the call waits for an answer, no request waits for it.
    outcome.catch(() => {});
    const result = await Promise.race([outcome, call.questionsArrived()]);
    if (result !== undefined) return result;
    const { operation } = call;
    const state: GatewayState = { upstream: this.#options.name, ...(await this.#suspended.publish(call)) };
    const questions = await toQuestions(operation, call.inputRequests(), state);
    this.#suspended.keep(call);
    return questions;
  }

  /** The requested item with its upstream name; undefined if the server does not show it. */
  #targetOf({ method, params }: Operation): { name: string; params: Params; fixed?: Params } | undefined {
    if (method === 'resources/read') {
      const uri = this.#uris.toUpstream(String(params.uri));
      return { name: uri, params: { uri } };
    }
    if (method === 'completion/complete') {
      const ref = params.ref as Params | undefined;
      if (ref?.type !== 'ref/prompt') {
        const uri = this.#uris.toUpstream(String(ref?.uri));
        return { name: uri, params: { ref: { ...ref, uri } } };
      }
      const prompt = this.#lists.upstreamName('prompts', ref.name as string);
      return prompt === undefined ? undefined : { name: prompt, params: { ref: { ...ref, name: prompt } } };
    }
    const name = this.#lists.upstreamName(method === 'tools/call' ? 'tools' : 'prompts', params.name as string);
    if (name === undefined) return undefined;
    const fixed = method === 'tools/call' ? this.#lists.fixedArgs(name) : undefined;
    if (fixed === undefined) return { name, params: { name } };
    return { name, params: { name, arguments: { ...(params.arguments as Params | undefined), ...fixed } }, fixed };
  }
}

/** The result with questions for a stateless client. Its state identifies the call. */
async function toQuestions(operation: Operation, inputRequests: Params, state: GatewayState): Promise<Result> {
  return { resultType: 'input_required', inputRequests, requestState: await operation.sealState(state) };
}

/** True if the upstream may answer with a task. */
function takesTasks(operation: Operation): boolean {
  return operation.method === 'tools/call' && operation.supports(tasksId);
}

/** An upstream with separate connections, lists and suspended calls per caller. */
class CallerGateway {
  readonly server: Server;
  readonly #name: string;
  readonly #callers: CallerRemotes<Gateway>;

  constructor(options: RemoteOptions, credentials: CallerCredentials) {
    // The group is made of what each caller's server lists.
    const { group: _, ...ungrouped } = options;
    const { name, target, maxCallers: max = limits.gateway.maxCallers.value } = options;
    this.#name = name;
    const create = (caller: Auth): Gateway | undefined => {
      const auth = credentials.authFor(caller);
      if (auth === undefined) return undefined;
      const own: RemoteTarget = { ...(target as { url: string | URL }), auth };
      return new Gateway({ ...ungrouped, target: own }, { server: this.server, to: { principal: caller.principal } });
    };
    this.#callers = new CallerRemotes({ create, max });
    this.server = emptyServer(options, {
      instructions: () => options.instructions,
      skills: skillsOf((operation) => this.#callers.for(operation)?.skills, new Uris(name, options)),
      listSource: { fill: () => undefined, forCaller: (operation) => this.#callers.for(operation)?.server },
    });
  }

  get status(): RemoteStatus {
    const all = this.#callers.all.map(({ status }) => status);
    const sum = (member: 'connections' | 'activeCalls' | 'suspendedCalls' | 'restarts'): number =>
      all.reduce((total, status) => total + status[member], 0);
    const states = (['up', 'starting', 'down'] as const).find((state) => all.some((status) => status.state === state));
    const latest = all.findLast(({ protocolVersion }) => protocolVersion !== undefined);
    return {
      name: this.#name,
      state: states ?? 'idle',
      protocolVersion: latest?.protocolVersion,
      tools: Math.max(0, ...all.map(({ tools }) => tools)),
      connections: sum('connections'),
      activeCalls: sum('activeCalls'),
      suspendedCalls: sum('suspendedCalls'),
      latencyMs: latest?.latencyMs,
      restarts: sum('restarts'),
      lastError: all.findLast(({ lastError }) => lastError !== undefined)?.lastError,
      stale: all.some(({ stale }) => stale),
      warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
      callers: all.length,
    };
  }

  close(): Promise<void> {
    return this.#callers.close();
  }
}

/** The skills extension for callers with their own skills. */
function skillsOf(find: (operation: Operation) => PassedSkills | undefined, uris: Uris): ServerExtension {
  const none = new PassedSkills({
    uris,
    fill: () => undefined,
    start: () => Promise.reject(new Error('There is nothing for this caller')),
  }).extension;
  const methods = Object.entries(none.methods ?? {}).map(([name, method]) => {
    const serve: typeof method.serve = (operation) =>
      ((find(operation)?.extension ?? none).methods?.[name] ?? method).serve(operation);
    return [name, { ...method, serve }];
  });
  return { ...none, methods: Object.fromEntries(methods) as NonNullable<ServerExtension['methods']> };
}

/** A server whose lists are filled from an upstream. */
function emptyServer(
  { name, tasks: own, group }: RemoteOptions,
  {
    instructions,
    skills,
    listSource,
  }: { instructions: () => string | undefined; skills: ServerExtension; listSource: ListSource },
): Server {
  return createServer({
    name,
    version: '1.0.0',
    instructions,
    tools: [],
    resources: [],
    templates: [],
    prompts: [],
    capabilities: { completions: true },
    // Upstream requests have their own limits, and the upstream handles idempotency keys.
    handlerTimeoutMs: Number.POSITIVE_INFINITY,
    idempotency: false,
    extensions: [
      own ?? sharedTasks,
      apps(),
      skills,
      ...(group === undefined ? [] : [groupOf(name, group, instructions)]),
    ],
    listSource,
  });
}

/** Why the lists of an upstream are not known. */
function whyUnknown(name: string, lastError: Error | undefined): string {
  return `the lists of "${name}" are not known${lastError === undefined ? ' yet' : `: ${lastError.message}`}`;
}

/** All of an upstream as one group. */
function groupOf(upstream: string, group: true | RemoteGroup, instructions: () => string | undefined): ServerExtension {
  const {
    name = toGroupName(upstream),
    description = `What "${upstream}" offers`,
    ...more
  } = group === true ? {} : group;
  return groups([{ name, description, instructions, tools: ['*'], prompts: ['*'], resources: ['*'], ...more }]);
}

function toGroupName(upstream: string): string {
  const words =
    upstream
      .slice(0, 64)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  if (words.length > 0) return words.join('-');
  throw new TypeError(`Upstream "${upstream}": its group needs a "name" of a-z, 0-9 and hyphens`);
}

/** The answers for an upstream, without that to the gateway's own question. */
function withoutSignIn(responses: unknown): unknown {
  if (!isObject(responses) || !Object.hasOwn(responses, signInKey)) return responses;
  const { [signInKey]: _, ...rest } = responses as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** Gives the options of another part precedence in a composed server. */
function yieldToOthers(extension: ServerExtension): ServerExtension {
  const { join } = extension;
  const yielding: ServerExtension = {
    ...extension,
    join: (parts) => (join as Join)([...parts.filter((part) => part !== yielding), yielding]),
  };
  return yielding;
}

type Join = NonNullable<ServerExtension['join']>;

/** Declares tasks before the upstream has started, because the list of task tools is unknown until then. */
function declareAlways(extension: ServerExtension): ServerExtension {
  const { legacyForm } = extension;
  if (legacyForm === undefined) return extension;
  const some: Tool = { name: 'some', task: 'optional', call: () => '' };
  return { ...extension, legacyForm: { ...legacyForm, capabilities: () => legacyForm.capabilities([some]) } };
}

/** The result of a call that overrides a fixed argument, which is an error. */
function rejectFixed({ params }: Operation, fixed: Params = {}): Result | undefined {
  const args = params.arguments;
  const brought = isObject(args) ? Object.keys(fixed).find((name) => Object.hasOwn(args, name)) : undefined;
  if (brought === undefined) return undefined;
  const text = `The argument ${JSON.stringify(brought)} has a fixed value here: call the tool again without it`;
  return { content: [{ type: 'text', text }], isError: true };
}

const passedMethods = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete']);

function isPassed({ method }: Operation): boolean {
  return passedMethods.has(method);
}

function transportTo(name: string, target: RemoteTarget): Transport {
  if ('connect' in target) return target.connect();
  if ('server' in target) return memoryTransport(target.server);
  if ('url' in target) {
    const { url, transport = 'http', ...options } = target;
    return transport === 'sse' ? sseTransport(url, options) : httpTransport(url, options);
  }
  const { command, args, ...options } = target;
  return spawn(command, args, { name, ...options });
}

function checkOptions({ name, target, credentials }: RemoteOptions): void {
  if (typeof name !== 'string' || name === '')
    throw new TypeError('remote: "name" must be a text: the upstream is called by it');
  if (typeof target !== 'object' || target === null) {
    throw new TypeError('remote: "target" must be { command, args }, { url }, { server } or { connect }');
  }
  if (credentials !== undefined && !('url' in target)) {
    throw new TypeError('remote: "credentials" are for a target with a URL: a process has its own for all callers');
  }
}

/** Resolves with the promise or after a timeout; rejects with the promise. */
function settleWithin(timeoutMs: number, promise: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
