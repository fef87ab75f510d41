import { type ClientCapabilities, ErrorCode, ProtocolError, type Result } from '@ccmcp/core';
import { type Client, ConnectionError, type Params } from '@ccmcp/core/client';
import { tasksClient } from '@ccmcp/core/tasks';
import type { ForwardedCall } from './forwarded-call.ts';
import { assertQuestion } from './question-check.ts';

/** The id of the tasks extension. */
export const tasksId: string = tasksClient().id;

/** Adds tasks to the capabilities of the caller. */
export function withTasks(abilities: ClientCapabilities): ClientCapabilities {
  return { ...abilities, extensions: { ...abilities.extensions, [tasksId]: {} } };
}

/** The id of the upstream task that a call became; undefined if the result is final. */
export function taskIdOf({ resultType, taskId, task }: Result, era: Client['era']): string | undefined {
  const id = era === 'stateless' ? resultType === 'task' && taskId : (task as Params | undefined)?.taskId;
  return typeof id === 'string' ? id : undefined;
}

/** Whether a tool runs as a task; undefined: never. A stateless server does not declare it per tool. */
export function taskSupportOf(
  row: Readonly<Record<string, unknown>>,
  client: Client,
): 'optional' | 'required' | undefined {
  if (client.era === 'stateless') return client.supports(tasksId) ? 'optional' : undefined;
  const { tasks } = client.capabilities as { tasks?: { requests?: { tools?: { call?: unknown } } } };
  if (tasks?.requests?.tools?.call === undefined) return undefined;
  const { taskSupport } = (row.execution ?? {}) as { taskSupport?: unknown };
  return taskSupport === 'optional' || taskSupport === 'required' ? taskSupport : undefined;
}

const noTimeout = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };
const defaultPollMs = 1000;
const minPollMs = 10;
const maxPollMs = 60_000;

/** Follows an upstream task to its result: forwards its questions and messages, and cancels it with the call. */
export async function followTask(
  client: Client,
  call: ForwardedCall,
  task: { upstream: string; taskId: string },
): Promise<Result> {
  const follower = new TaskFollower(client, call, task);
  try {
    return await follower.run();
  } catch (error) {
    // After a lost connection the task may continue and be found again.
    if (call.signal.aborted || !(error instanceof ConnectionError || error instanceof ProtocolError)) follower.cancel();
    throw error;
  }
}

class TaskFollower {
  readonly #client: Client;
  readonly #call: ForwardedCall;
  readonly #upstream: string;
  readonly #taskId: string;
  readonly #asked = new Set<string>();
  #messages = 0;
  #lastMessage: unknown;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(client: Client, call: ForwardedCall, { upstream, taskId }: { upstream: string; taskId: string }) {
    this.#upstream = upstream;
    this.#client = client;
    this.#call = call;
    this.#taskId = taskId;
  }

  async run(): Promise<Result> {
    for (;;) {
      const task = await this.#request('tasks/get');
      this.#report(task.statusMessage);
      const isLegacy = this.#client.era === 'handshake';
      // A legacy server asks its questions while the result is awaited.
      if (isLegacy && task.status !== 'working') return await this.#request('tasks/result', {}, noTimeout);
      const result = isLegacy ? undefined : outcomeOf(task);
      if (result !== undefined) return result;
      if (task.status === 'input_required') this.#ask(task.inputRequests);
      await this.#pause(task.pollIntervalMs ?? task.pollInterval);
    }
  }

  /** Requests the cancellation of the task, without waiting. */
  cancel(): void {
    this.#client.request('tasks/cancel', { taskId: this.#taskId }, this.#options).catch(() => {
      // The task has ended, or the upstream is disconnected.
    });
  }

  get #options(): { raw: true; capabilities: ClientCapabilities } {
    return { raw: true, capabilities: withTasks(this.#call.abilities) };
  }

  #request(method: string, params: Params = {}, options: object = {}): Promise<Result> {
    const { signal } = this.#call;
    return this.#client.request(method, { taskId: this.#taskId, ...params }, { ...this.#options, signal, ...options });
  }

  #report(message: unknown): void {
    if (typeof message !== 'string' || message === this.#lastMessage) return;
    this.#lastMessage = message;
    this.#messages += 1;
    this.#call.progress({ progress: this.#messages, message });
  }

  /** Asks new questions, and sends each answer when it arrives. */
  #ask(questions: unknown): void {
    for (const [key, question] of Object.entries((questions ?? {}) as Record<string, unknown>)) {
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      this.#answer(key, question).catch((error: Error) => {
        this.#failure ??= error;
        this.#wake?.();
      });
    }
  }

  async #answer(key: string, question: unknown): Promise<void> {
    const { method, params } = (question ?? {}) as { method?: unknown; params?: Params };
    let answer: object;
    try {
      assertQuestion(this.#upstream, method, params);
      answer = await this.#call.ask(String(method), params, this.#call.signal);
    } catch (error) {
      // Without the answer, the task would never end.
      this.cancel();
      throw error;
    }
    await this.#request('tasks/update', { inputResponses: { [key]: answer } });
    this.#wake?.();
  }

  async #pause(pollMs: unknown): Promise<void> {
    const { signal } = this.#call;
    const wanted = typeof pollMs === 'number' ? pollMs : defaultPollMs;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), Math.min(Math.max(wanted, minPollMs), maxPollMs));
      this.#wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', this.#wake as () => void);
        resolve();
      };
      signal.addEventListener('abort', this.#wake);
      if (signal.aborted || this.#failure !== undefined) this.#wake();
    });
    if (signal.aborted) throw signal.reason;
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** The outcome of a task of the extension; undefined while it runs. */
function outcomeOf({ status, statusMessage, result, error }: Result): Result | undefined {
  if (status === 'working' || status === 'input_required') return undefined;
  if (result !== undefined) return result as Result;
  const { code, message, data } = (error ?? {}) as { code?: number; message?: string; data?: unknown };
  if (typeof code === 'number') throw new ProtocolError(code, String(message), data);
  const reason = typeof statusMessage === 'string' ? `: ${statusMessage.slice(0, 500)}` : '';
  throw new ProtocolError(ErrorCode.InternalError, `The task ended upstream without a result${reason}`);
}
