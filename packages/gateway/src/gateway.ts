import {
  type ClientCapabilities,
  limits,
  type Operation,
  type Outcome,
  ProtocolError,
  type Result,
  type Server,
} from '@ccmcp/core';
import {
  ConnectionError,
  httpTransport,
  memoryTransport,
  type Params,
  spawn,
  sseTransport,
  type Transport,
} from '@ccmcp/core/client';
import { appsClient } from '@ccmcp/core/apps';
import { skillsClient } from '@ccmcp/core/skills';
import { tasksClient } from '@ccmcp/core/tasks';
import { signInKey } from './credentials/ask-to-sign-in.ts';
import { CallSender, failure, type GatewayState } from './call-sender.ts';
import { isObject } from './is-object.ts';
import { ListReaders } from './lists/list-readers.ts';
import { Lists } from './lists/lists.ts';
import { abilitiesKeyOf, askableOf } from './messages.ts';
import { Names } from './lists/names.ts';
import { OpenElicitations } from './open-elicitations.ts';
import { ForwardedCall } from './forwarded-call.ts';
import { ForwardedSkills } from './forwarded-skills.ts';
import type { RemoteOptions, RemoteStatus, RemoteTarget } from './remote-options.ts';
import { SignInTool } from './credentials/sign-in-tool.ts';
import { SuspendedCalls } from './suspended-calls.ts';
import { ToolOverrides } from './lists/tool-overrides.ts';
import { findUnknownNames } from './lists/unknown-names.ts';
import { Upstream } from './upstream/upstream.ts';
import { tasksId } from './upstream-task.ts';
import { Uris } from './lists/uris.ts';
import { type Front, WatchedResources } from './lists/watched-resources.ts';

/** The maximum length of an upstream's instructions, in characters. */
const maxInstructions = 100_000;

/** The server that shows an upstream, and what belongs to it. */
export interface GatewayParts {
  readonly options: RemoteOptions;
  readonly server: Server;
  readonly front: Front | undefined;
  /** Creates a server for what only some callers get. */
  createServer(): Server;
}

/** Forwards the requests of a server to one upstream, for all callers or for one. */
export class Gateway {
  readonly #server: Server;
  readonly #options: RemoteOptions;
  readonly #upstream: Upstream;
  readonly #sender: CallSender;
  readonly #uris: Uris;
  readonly skills: ForwardedSkills;
  /** Absent: all callers share the credentials of the target. */
  readonly signInTool: SignInTool | undefined;
  readonly lists: Lists;
  readonly readers: ListReaders;
  /** True if callers get lists for the capabilities of their clients. */
  readonly #splits: boolean;
  readonly #watched: WatchedResources;
  readonly #suspended: SuspendedCalls;
  /** Upstream tasks of calls that became no task here yet. */
  readonly #begunTasks = new WeakMap<Operation, string>();
  #instructions: string | undefined;

  constructor(parts: GatewayParts) {
    const { options, server, front, createServer } = parts;
    const { name, prefix, client = {}, signInWaitMs = limits.gateway.signInWaitMs.value } = options;
    const { timeoutMs = limits.client.timeoutMs.value, maxTimeoutMs = limits.gateway.maxTimeoutMs.value } = options;
    this.#options = options;
    // A group, and a server of one caller, have one list.
    this.#splits = front === undefined && options.group === undefined;
    this.#server = server;
    this.#uris = new Uris(name, options);
    this.skills = new ForwardedSkills({
      uris: this.#uris,
      fill: (operation) => this.fill(operation),
      start: () => this.#upstream.start({}),
    });
    const elicitations = new OpenElicitations();
    this.#upstream = new Upstream({
      name,
      transport: () => transportTo(name, options.target),
      connect: {
        ...client,
        ...(options.lock !== undefined && { lock: options.lock, onHeldBack: (held) => this.lists.held.add(held) }),
        logLevel: client.logLevel ?? 'debug',
        timeoutMs,
        maxTimeoutMs,
        checkOutput: false,
        cache: false,
        // Lists are read for all clients, including those that show views.
        extensions: [tasksClient(), appsClient, skillsClient],
        onWarning: (text) => this.#server.reportError(`Upstream "${name}"`, text),
      },
      idleMs: options.idleMs ?? limits.gateway.idleMs.value,
      maxConnections: options.maxConnections ?? limits.gateway.maxConnections.value,
      backoff: options.backoff,
      elicitations,
      onOpen: (client, abilitiesKey) => {
        if (client === this.#upstream.primary) this.#instructions = client.instructions?.slice(0, maxInstructions);
        this.readers.follow(client, this.#splits && client.era === 'handshake' ? abilitiesKey : '');
        this.#watched.update();
      },
      onClosed: (client, reason) => this.readers.unfollow(client, reason),
      onDown: () => this.readers.lost(),
      onSignInRequired: (required) => this.signInTool?.onRequired(required),
      onLog: ({ level, data, logger }) => this.#server.log(level, data, logger),
      mayEnd: () => !this.readers.isReading && this.#suspended.size === 0 && this.#watched.prune(),
    });
    this.#sender = new CallSender({
      name,
      upstream: this.#upstream,
      uris: this.#uris,
      signInWaitMs,
      elicitations,
      requiresTask: (operation) => this.lists.requiresTask(operation),
      toolOf: (operation) => this.lists.toolOf(operation),
      onLinks: (uris) => this.lists.links.add(uris),
    });
    this.lists = new Lists({
      server: this.#server,
      names: new Names(name, options),
      uris: this.#uris,
      skills: this.skills,
      overrides: new ToolOverrides(options),
      runTask: (operation) => this.#runTask(operation),
      check: (names) => findUnknownNames(options, names),
      keyOf: (operation) => this.#keyOf(operation),
      createServer,
      ...(front && { onChanged: (kind) => front.server[kind].changed(front.to) }),
    });
    this.readers = new ListReaders({
      name,
      server: this.#server,
      lists: this.lists,
      onRead: () => this.#watched.refresh(),
    });
    this.#watched = new WatchedResources({
      server: this.#server,
      front: front ?? { server: this.#server },
      uris: this.#uris,
      start: () => this.#upstream.start({}),
      clients: () => this.readers.clients,
      servers: () => this.lists.items.servers,
    });
    this.signInTool =
      front &&
      new SignInTool({
        upstream: name,
        server,
        front,
        waitMs: signInWaitMs,
        start: (operation) => this.#readLists(operation === undefined ? {} : askableOf(operation)),
        isKnown: () => this.readers.isKnown,
        ...(prefix !== undefined && { prefix }),
      });
    const { answerMs = limits.gateway.answerMs.value, maxSuspended: max = limits.gateway.maxSuspended.value } = options;
    this.#suspended = new SuspendedCalls({
      upstream: name,
      answerMs,
      max,
      reportError: (message, error) => this.#server.reportError(message, error),
    });
  }

  /** True while the lists of a caller are unknown, or date from before the upstream was lost. */
  isStale(operation: Operation): boolean {
    const reader = this.readers.get(this.#keyOf(operation)) ?? this.readers.first;
    return reader === undefined || !reader.isKnown || reader.isLost;
  }

  /** The instructions of the upstream, once it was connected. */
  get instructions(): string | undefined {
    return this.#instructions;
  }

  get status(): RemoteStatus {
    const { usage, primary, restarts, lastError } = this.#upstream;
    return {
      name: this.#options.name,
      ...usage,
      protocolVersion: primary?.protocolVersion,
      tools: this.lists.items.tools,
      latencyMs: this.#sender.latencyMs,
      suspendedCalls: this.#suspended.size,
      restarts,
      lastError: (lastError ?? this.readers.error)?.message,
      stale: this.readers.isStale,
      warnings: this.lists.warnings.concat(this.lists.held.summary ?? []),
    };
  }

  async close(): Promise<void> {
    this.#watched.close();
    this.#suspended.close(new ConnectionError('The gateway is closed'));
    await this.#upstream.close();
  }

  /** Connects and reads the lists. */
  async #readLists(abilities: ClientCapabilities): Promise<void> {
    await this.#upstream.start(abilities);
    await this.readers.first?.reading;
  }

  /** Waits for unknown lists, up to a timeout: as long as for an answer, if only this upstream can serve the request. */
  fill(operation: Operation): Promise<unknown> | undefined {
    const reader = this.readers.get(this.#keyOf(operation));
    if ((reader?.isKnown === true && !reader.isLost) || this.#upstream.isDown) return undefined;
    if (this.readers.isKnown && this.readers.unreadable.has(this.#keyOf(operation))) return undefined;
    const { listWaitMs = limits.gateway.listWaitMs.value, timeoutMs = limits.client.timeoutMs.value } = this.#options;
    const reading = this.#readListsFor(operation);
    if (reader?.isKnown === true) {
      // Stale lists are served meanwhile.
      reading.catch(() => {});
      return undefined;
    }
    return settleWithin(this.lists.isMarked(operation) ? Math.max(timeoutMs, listWaitMs) : listWaitMs, reading);
  }

  /** Reads the lists that a caller gets. */
  async #readListsFor(operation: Operation): Promise<void> {
    const abilities = askableOf(operation);
    await this.#upstream.start(abilities);
    if (this.#splits) {
      try {
        // Another caller may have started it with other capabilities.
        await this.#upstream.startAlike(abilities);
      } catch (error) {
        this.readers.unreadable.add(this.#keyOf(operation));
        await this.readers.first?.reading;
        throw error;
      }
    }
    await (this.readers.get(this.#keyOf(operation)) ?? this.readers.first)?.reading;
  }

  /** Identifies the lists that a caller gets: those of a handshake upstream may depend on the client's capabilities. */
  #keyOf(operation: Operation): string {
    return this.#splits && this.#upstream.era === 'handshake' ? abilitiesKeyOf(operation) : '';
  }

  /** Serves a request for something of the upstream. `next` serves what it does not have. */
  serve(operation: Operation, next: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    const filling = this.readers.isKnown && this.#isListed(operation) ? undefined : this.fill(operation);
    if (filling === undefined) return this.#pass(operation, next);
    const pass = (): Outcome | Promise<Outcome> => this.#pass(operation, next);
    return filling.then(pass, pass);
  }

  /** False for a tool or prompt that the caller's lists do not have. They may not be read yet. */
  #isListed(operation: Operation): boolean {
    const { method, params } = operation;
    const kind = method === 'tools/call' ? 'tools' : method === 'prompts/get' ? 'prompts' : undefined;
    return kind === undefined || this.lists.upstreamName(kind, params.name as string, operation) !== undefined;
  }

  /** Forwards a request to the upstream, with upstream names. */
  #pass(operation: Operation, next: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    const state = operation.suspendedState as GatewayState | undefined;
    if (state?.upstream === this.#options.name && state.call !== undefined) return this.#resume(operation, state);
    const target = findTarget(operation, { lists: this.lists, uris: this.#uris });
    if (target === undefined) return next();
    const rejection = rejectFixed(operation, target.fixed);
    if (rejection !== undefined) return rejection;
    if (this.#beginsTask(operation)) return next();
    const call = new ForwardedCall(operation, target.name);
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
    if (method !== 'tools/call' || this.lists.toolOf(operation)?.task === undefined) return false;
    if (builtInFeatures.has('tasks') && typeof params.task === 'object' && params.task !== null) return true;
    return operation.supports(tasksId) && this.#upstream.era === 'handshake';
  }

  /** Waits for the result or a question. If the upstream answers with a task, the client gets one, too. */
  async #untilTask(
    call: ForwardedCall,
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
    const target = findTarget(operation, { lists: this.lists, uris: this.#uris });
    if (target === undefined) throw failure(this.#options.name, `The tool was removed from "${this.#options.name}"`);
    const call = new ForwardedCall(operation, target.name);
    call.taskId = this.#begunTasks.get(operation);
    this.#begunTasks.delete(operation);
    return this.#sender.send(call, target.params);
  }

  /** Continues a call that waits for an answer. */
  async #resume(operation: Operation, state: GatewayState): Promise<Outcome> {
    const resumed = await this.#suspended.resume(operation, state);
    if (resumed instanceof ForwardedCall) return this.#untilAsked(resumed, resumed.outcome as Promise<Result>);
    if ('result' in resumed) return resumed.result;
    if ('questions' in resumed) return toQuestions(operation, resumed.questions, state);
    const { code, message, data } = resumed.error;
    throw new ProtocolError(code, message, data);
  }

  /** Waits for the result, or for a question that has to travel to the client. */
  async #untilAsked(call: ForwardedCall, outcome: Promise<Result>): Promise<Outcome> {
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
}

/** The result with questions for a stateless client. Its state identifies the call. */
async function toQuestions(operation: Operation, inputRequests: Params, state: GatewayState): Promise<Result> {
  return { resultType: 'input_required', inputRequests, requestState: await operation.sealState(state) };
}

/** The requested item with its upstream name; undefined if the server does not show it. */
function findTarget(
  operation: Operation,
  { lists, uris }: { lists: Lists; uris: Uris },
): { name: string; params: Params; fixed?: Params } | undefined {
  const { method, params } = operation;
  if (method === 'resources/read') {
    const uri = uris.toUpstream(String(params.uri));
    return { name: uri, params: { uri } };
  }
  if (method === 'completion/complete') {
    const ref = params.ref as Params | undefined;
    if (ref?.type !== 'ref/prompt') {
      const uri = uris.toUpstream(String(ref?.uri));
      return { name: uri, params: { ref: { ...ref, uri } } };
    }
    const prompt = lists.upstreamName('prompts', ref.name as string, operation);
    return prompt === undefined ? undefined : { name: prompt, params: { ref: { ...ref, name: prompt } } };
  }
  const name = lists.upstreamName(method === 'tools/call' ? 'tools' : 'prompts', params.name as string, operation);
  if (name === undefined) return undefined;
  const fixed = method === 'tools/call' ? lists.fixedArgs(name) : undefined;
  if (fixed === undefined) return { name, params: { name } };
  return { name, params: { name, arguments: { ...(params.arguments as Params | undefined), ...fixed } }, fixed };
}

/** True if the upstream may answer with a task. */
function takesTasks(operation: Operation): boolean {
  return operation.method === 'tools/call' && operation.supports(tasksId);
}

/** The answers for an upstream, without that to the gateway's own question. */
function withoutSignIn(responses: unknown): unknown {
  if (!isObject(responses) || !Object.hasOwn(responses, signInKey)) return responses;
  const { [signInKey]: _, ...rest } = responses;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** The result of a call that overrides a fixed argument, which is an error. */
function rejectFixed({ params }: Operation, fixed: Params = {}): Result | undefined {
  const args = params.arguments;
  const brought = isObject(args) ? Object.keys(fixed).find((name) => Object.hasOwn(args, name)) : undefined;
  if (brought === undefined) return undefined;
  const text = `The argument ${JSON.stringify(brought)} has a fixed value here: call the tool again without it`;
  return { content: [{ type: 'text', text }], isError: true };
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

/** Resolves with the promise or after a timeout; rejects with the promise. */
function settleWithin(timeoutMs: number, promise: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
