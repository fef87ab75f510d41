import { type ClientCapabilities, ErrorCode, type Operation, ProtocolError, type Result, type Tool } from '@ccmcp/core';
import { type Client, ConnectionError, type Params } from '@ccmcp/core/client';
import { askToSignIn } from './credentials/ask-to-sign-in.ts';
import { toResult, toUpstreamParams } from './messages.ts';
import type { OpenElicitations } from './open-elicitations.ts';
import { type ForwardedCall, maxQuestions } from './forwarded-call.ts';
import { assertQuestion } from './question-check.ts';
import { findSignIn } from './credentials/sign-in-required.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { Uris } from './lists/uris.ts';
import { followTask, taskIdOf, tasksId, withTasks } from './upstream-task.ts';

/** The state in a suspended request: a call that waits here, or the state of a stateless upstream. */
export interface GatewayState {
  readonly upstream: string;
  readonly call?: string;
  /** The instance that has the call. */
  readonly at?: string;
  readonly requestState?: unknown;
}

/** The error code of the handshake era for URLs to visit before a call. */
const urlElicitationRequired = -32042;
/** The maximum retries of a call that is safe to retry. */
const maxRetries = 2;
/** The maximum rounds of questions of one call. */
const maxRounds = 10;
/** The longest state of a stateless upstream, in characters: clients send it back in a message of limited length. */
const maxStateLength = 256 * 1024;
/** The methods whose results may be questions. */
const askingMethods = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** The number of requests that the median duration covers. */
const timedRequests = 64;

interface CallSenderOptions {
  readonly name: string;
  readonly upstream: Upstream;
  readonly uris: Uris;
  readonly signInWaitMs: number;
  readonly elicitations: OpenElicitations;
  /** True for a tool that the upstream runs as a task only. */
  requiresTask(operation: Operation): boolean;
  /** The called tool, as it is shown to the caller. */
  toolOf(operation: Operation): Tool | undefined;
  /** Records the URIs that a result refers to. */
  onLinks(uris: readonly string[]): void;
}

/** Sends calls to an upstream, in the form of its revision, and returns their results. */
export class CallSender {
  readonly #name: string;
  readonly #upstream: Upstream;
  readonly #uris: Uris;
  /** The timeout of a sign-in during a call, in milliseconds. */
  readonly #signInWaitMs: number;
  readonly #elicitations: OpenElicitations;
  readonly #requiresTask: CallSenderOptions['requiresTask'];
  readonly #toolOf: CallSenderOptions['toolOf'];
  readonly #onLinks: CallSenderOptions['onLinks'];
  /** The durations of the latest requests, in milliseconds. */
  readonly #durations: number[] = [];
  #requests = 0;

  constructor(options: CallSenderOptions) {
    const { name, upstream, uris, signInWaitMs, elicitations, requiresTask, toolOf, onLinks } = options;
    this.#name = name;
    this.#upstream = upstream;
    this.#uris = uris;
    this.#signInWaitMs = signInWaitMs;
    this.#elicitations = elicitations;
    this.#requiresTask = requiresTask;
    this.#toolOf = toolOf;
    this.#onLinks = onLinks;
  }

  /** The median duration of the latest requests; undefined before the first. */
  get latencyMs(): number | undefined {
    return this.#durations.toSorted((one, other) => one - other)[this.#durations.length >> 1];
  }

  /** Sends a call upstream. Retries it after a sign-in, and after a lost connection if that is safe. */
  async send(call: ForwardedCall, more: Params): Promise<Result> {
    try {
      return await this.#sendAgain(call, more);
    } catch (error) {
      // The upstream rejected the request without serving it.
      const required = findSignIn(error);
      if (required === undefined) throw error;
      await askToSignIn(call.operation, required, { upstream: this.#name, waitMs: this.#signInWaitMs });
      return await this.#sendAgain(call, more);
    }
  }

  async #sendAgain(call: ForwardedCall, more: Params): Promise<Result> {
    for (let retries = 0; ; retries += 1) {
      const leased = this.#upstream.lease(call);
      const lease = leased instanceof Promise ? await leased : leased;
      const { client } = lease;
      try {
        const result = await this.#request(client, call, more);
        this.#upstream.ended(call);
        const shown = this.#uris.toPublicResult(result);
        if (call.operation.method === 'tools/call') this.#onLinks(linksOf(shown));
        return shown;
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        const required = findSignIn(error);
        if (required !== undefined) throw required;
        const pages = await this.#toPageQuestions(call, error);
        if (pages !== undefined) return pages;
        const isLost = error instanceof ConnectionError;
        if (isLost && retries < maxRetries && this.#mayRepeat(call)) continue;
        throw toFailure(error, this.#name, { call, uris: this.#uris, isStateless: client.era === 'stateless' });
      } finally {
        this.#upstream.release(lease, call);
      }
    }
  }

  async #request(client: Client, call: ForwardedCall, more: Params): Promise<Result> {
    const { operation } = call;
    if (call.taskId !== undefined)
      return toResult(await followTask(client, call, { upstream: this.#name, taskId: call.taskId }), operation);
    const asLegacyTask = client.era === 'handshake' && this.#becomesTask(call);
    const first = asLegacyTask ? { ...more, task: operation.params.task ?? {} } : more;
    let added = first;
    for (let round = 0; round <= maxRounds; round += 1) {
      const startedAt = performance.now();
      const result = await this.#sendOnce(client, call, added);
      this.#durations[this.#requests++ % timedRequests] = performance.now() - startedAt;
      const taskId = call.operation.method === 'tools/call' ? taskIdOf(result, client.era) : undefined;
      if (taskId !== undefined) {
        call.taskId = taskId;
        return call.isFollowed
          ? toResult(await followTask(client, call, { upstream: this.#name, taskId }), operation)
          : result;
      }
      if (client.era === 'handshake') return toResult(result, operation);
      assertResultType(this.#name, result, call);
      if (result.resultType !== 'input_required') return toResult(result, operation);
      assertQuestions(this.#name, result);
      if (operation.era === 'stateless' && operation.job === undefined) return this.#passQuestions(operation, result);
      added = { ...first, ...(await answersTo(result, operation)) };
    }
    throw new ProtocolError(ErrorCode.InternalError, `The upstream still asks after ${maxRounds} rounds`);
  }

  /** True for a call that is to be a task in the form of the handshake. */
  #becomesTask({ operation }: ForwardedCall): boolean {
    if (operation.method !== 'tools/call') return false;
    return (
      this.#requiresTask(operation) || (operation.job !== undefined && this.#toolOf(operation)?.task !== undefined)
    );
  }

  #sendOnce(client: Client, call: ForwardedCall, more: Params): Promise<Result> {
    const { method, params, meta, job } = call.operation;
    const asksProgress = meta.progressToken !== undefined || job !== undefined;
    const send = (capabilities: ClientCapabilities): Promise<Result> =>
      client.request(method, toUpstreamParams(params, client.era, more), {
        raw: true,
        capabilities,
        signal: call.signal,
        ...(asksProgress && {
          onProgress: (progress) => call.progress(progress),
        }),
      });
    const mayBeTask = method === 'tools/call' && client.era === 'stateless' && client.supports(tasksId);
    if (!mayBeTask) return send(call.abilities);
    if (job !== undefined || !call.isFollowed) return send(withTasks(call.abilities));
    // A stateless client gets an error that names the missing capability.
    if (call.operation.era === 'stateless') return send(call.abilities);
    return send(call.abilities).catch((error: unknown) => {
      // The tool runs as a task only, so the gateway waits for it on behalf of the client.
      if (!(error instanceof ProtocolError) || error.code !== ErrorCode.MissingClientCapability) throw error;
      if (!requiresTasks(error.data)) throw error;
      return send(withTasks(call.abilities));
    });
  }

  /** Forwards questions of a stateless server to a stateless client. Signs their state again, for this caller. */
  async #passQuestions(operation: Operation, { requestState, ...result }: Result): Promise<Result> {
    const state: GatewayState = { upstream: this.#name, requestState };
    return { ...result, requestState: await operation.sealState(state) };
  }

  /** Converts the URLs of a handshake error to questions, after which a stateless client repeats the call. */
  async #toPageQuestions(call: ForwardedCall, error: unknown): Promise<Result | undefined> {
    if (!(error instanceof ProtocolError) || error.code !== urlElicitationRequired) return undefined;
    const { operation, abilities } = call;
    const { elicitations } = (error.data ?? {}) as { elicitations?: unknown };
    if (!Array.isArray(elicitations)) return undefined;
    for (const page of elicitations as (Params | null)[]) this.#elicitations.add(page?.elicitationId, call);
    if (operation.era !== 'stateless' || operation.job !== undefined) return undefined;
    if (abilities.elicitation?.url === undefined) return undefined;
    const questions = (elicitations as (Params | null)[]).map((page, index) => [
      `page-${index + 1}`,
      { method: 'elicitation/create', params: { mode: 'url', message: page?.message, url: page?.url } },
    ]);
    const state: GatewayState = { upstream: this.#name };
    const requestState = await operation.sealState(state);
    return { resultType: 'input_required', inputRequests: Object.fromEntries(questions) as Params, requestState };
  }

  #mayRepeat({ operation, taskId }: ForwardedCall): boolean {
    // A task that was started is found by its id.
    if (operation.method !== 'tools/call' || taskId !== undefined) return true;
    const { readOnlyHint, idempotentHint } = this.#toolOf(operation)?.annotations ?? {};
    return readOnlyHint === true || idempotentHint === true;
  }

  /** Cancels an upstream task without followers. */
  async cancelTask({ taskId, abilities }: ForwardedCall): Promise<void> {
    const client = await this.#upstream.start(abilities);
    await client.request('tasks/cancel', { taskId }, { raw: true, capabilities: withTasks(abilities) });
  }
}

/** The URIs of the links and embedded resources of a tool's result. */
function linksOf({ content }: Result): string[] {
  const uris: string[] = [];
  for (const block of Array.isArray(content) ? (content as (Params | null)[]) : []) {
    const uri = block?.type === 'resource_link' ? block.uri : (block?.resource as Params | undefined)?.uri;
    if (typeof uri === 'string') uris.push(uri);
  }
  return uris;
}

function requiresTasks(data: unknown): boolean {
  const { requiredCapabilities } = (data ?? {}) as { requiredCapabilities?: ClientCapabilities };
  return requiredCapabilities?.extensions?.[tasksId] !== undefined;
}

/** Throws if the result of a stateless upstream has a type that its request does not allow. */
function assertResultType(
  upstream: string,
  { resultType = 'complete' }: Result,
  { subject, operation }: ForwardedCall,
): void {
  if (resultType === 'complete' || (resultType === 'input_required' && askingMethods.has(operation.method))) return;
  const type = JSON.stringify(resultType).slice(0, 100);
  throw failure(upstream, `The upstream "${upstream}" answered "${subject}" with a result of the unknown type ${type}`);
}

/** Throws if a question of a stateless upstream is malformed, or too much: it can't be told, so the call fails. */
function assertQuestions(upstream: string, { inputRequests = {}, requestState = '' }: Result): void {
  if (typeof inputRequests !== 'object' || inputRequests === null) {
    throw failure(upstream, `The questions of the upstream "${upstream}" are malformed: an object is expected`);
  }
  const questions = Object.values(inputRequests) as unknown[];
  if (questions.length > maxQuestions) {
    const problem = `asks ${questions.length} questions at once, and ${maxQuestions} is the most`;
    throw failure(upstream, `The upstream "${upstream}" ${problem}`);
  }
  if (typeof requestState !== 'string' || requestState.length > maxStateLength) {
    const expected = `a string of at most ${maxStateLength} characters is expected`;
    throw failure(upstream, `The "requestState" of the upstream "${upstream}" is malformed: ${expected}`);
  }
  for (const question of questions) {
    const { method, params } = (question ?? {}) as Params;
    assertQuestion(upstream, method, params);
  }
}

/** Asks a handshake client the questions of a stateless upstream, and returns the params of the next round. */
async function answersTo({ inputRequests, requestState }: Result, operation: Operation): Promise<Params> {
  const questions = Object.entries((inputRequests ?? {}) as Record<string, { method: string; params?: Params }>);
  const answers = await Promise.all(
    questions.map(async ([key, { method, params }]) => [key, await operation.ask(method, params, key)]),
  );
  return {
    ...(questions.length > 0 && { inputResponses: Object.fromEntries(answers) as Params }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** The error for the caller. Errors of the upstream are forwarded unchanged. */
function toFailure(
  error: unknown,
  upstream: string,
  { call, uris, isStateless }: { call: ForwardedCall; uris: Uris; isStateless: boolean },
): Error {
  const { method } = call.operation;
  if (error instanceof ProtocolError) {
    const { code, data } = error;
    const { uri } = (data ?? {}) as { uri?: unknown };
    if (method !== 'resources/read' || uri === undefined) return error;
    const isNotFound = isStateless && code === ErrorCode.InvalidParams;
    return new ProtocolError(isNotFound ? ErrorCode.ResourceNotFound : code, error.message, uris.toPublicData(data));
  }
  const { message } = error as Error;
  if (error instanceof ConnectionError) {
    const effect = method === 'tools/call' ? ' Whether the tool took effect is not known.' : '';
    return failure(upstream, `The upstream "${upstream}" was lost during "${call.subject}".${effect} ${message}`);
  }
  return failure(upstream, `The upstream "${upstream}" failed at "${call.subject}": ${message}`);
}

/** An error of the gateway about an upstream. */
export function failure(upstream: string, message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message.slice(0, 1000), { upstream });
}
