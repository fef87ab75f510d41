import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { PreparedResult } from '../../jsonrpc/message.ts';
import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import { idempotencyMetaKey, type Meta } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import { toHex } from '../../runtime/base64.ts';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';
import type { Life } from '../../stores/store.ts';
import type { Call } from '../../server/call/call.ts';
import { contextOf } from '../../server/call/operation-context.ts';
import type { Idempotency, IdempotencyStore } from './idempotency.ts';
import type { Feature } from '../../server/engine.ts';
import type { Step } from '../../server/pipeline/step.ts';
import type { Outcome } from '../../server/call/operation.ts';
import { missingExtension } from '../../server/extension.ts';
import { retryLater } from '../../server/retry-later.ts';

/** Maximum number of stored idempotency keys, a quarter of them per caller; the oldest are evicted. */
const idempotencyKeys = 10_000;

/** Retry-After where the store fails. */
const retryMs = 1000;

/*
 * A call with an idempotency key has three entries in the store: a record of the key, with a digest of the call and
 * whether it is done; the answer; and a lease, which the serving instance holds while the call runs. The lease of a
 * crashed instance expires. A record that is not done then shows that the call was started: it runs again only if its
 * tool allows a repetition.
 */

/** Maximum length of an idempotency key, in characters. */
const maxKeyLength = 256;
/** Time after which the lease of a crashed instance expires. */
const leaseMs = 10 * 1000;
const [limit, ownerLimit] = [idempotencyKeys, idempotencyKeys / 4];
const leaseLife: Life = { ttlMs: leaseMs, kind: 'once-running', limit };
/** Interval in which a waiting call checks whether the lease of the running one has expired. */
const pollMs = 1000;
/** Maximum size of stored answers in characters, a quarter of it per caller; the caller's oldest are evicted. */
const answersLength = 16 * 1024 * 1024;

/**
 * Stores the results of tool calls with an idempotency key, so that a duplicate call is not run again. Undefined: keys
 * are ignored.
 */
export function idempotency(settings: Idempotency | undefined): Feature {
  if (settings === undefined) return () => undefined;
  const deduplicate: Step = (next) => (call) => {
    const key =
      call.method === 'tools/call' ? (call.params._meta as Meta | undefined)?.[idempotencyMetaKey] : undefined;
    return key === undefined ? next(call) : runIdempotent(call, key, settings, () => next(call));
  };
  return () => ({ id: 'idempotency', deduplicate });
}

/** Runs a call, or returns the stored answer of an earlier call with the same key. Waits while that one still runs. */
async function runIdempotent(
  call: Call,
  key: unknown,
  settings: Idempotency,
  run: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
    throw invalidParams(`"${idempotencyMetaKey}" in _meta must be a text of 1 to ${maxKeyLength} characters`);
  }
  // The client may reconnect and retry for the answer.
  call.execution.survivesDisconnect = true;
  const store = call.peer.store ?? (await settings.localStore());
  const keyed = new KeyedCall(call, key, { store, settings });
  return await keyed.serve(run);
}

class KeyedCall {
  readonly #call: Call;
  readonly #store: IdempotencyStore;
  readonly #settings: Idempotency;
  readonly #name: string;
  readonly #life: Life;
  readonly #answerLife: Life;
  readonly #holder = crypto.randomUUID();

  constructor(call: Call, key: string, { store, settings }: { store: IdempotencyStore; settings: Idempotency }) {
    const { usage, auth } = call.peer;
    const owner = usage?.rateKey ?? auth?.principal ?? '';
    this.#call = call;
    this.#store = store;
    this.#settings = settings;
    this.#name = `once/${JSON.stringify([owner, call.params.name, key])}`;
    this.#life = { ttlMs: settings.keepMs, kind: 'once', limit, owner, ownerLimit };
    // Bounded per caller, so that one caller's answers never evict those of another.
    const room = { length: answersLength, ownerLength: answersLength / 4, evictOwn: true };
    this.#answerLife = { ...this.#life, kind: 'once-answer', room };
  }

  async serve(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    const digest = await digestOf(this.#call.params.arguments ?? {});
    for (;;) {
      const hasLease = await this.#lookUp(() => this.#store.lease(`${this.#name}/run`, this.#holder, leaseLife));
      const isNew = hasLease && (await this.#lookUp(() => this.#store.claim(this.#name, this.#life, { of: digest })));
      const known = isNew ? undefined : await this.#lookUp(() => this.#store.read(this.#name, this.#life));
      if (known !== undefined && (known.of !== digest || known.done !== undefined)) {
        if (hasLease) await this.#release();
        if (known.of !== digest)
          throw invalidParams('This idempotency key was used with other arguments: use a new one');
        const answer = await this.#readAnswer(known.extension);
        if (answer !== undefined) return answer;
        if (hasLease) throw answerUnavailable();
        // It is done, and its answer is being stored.
        await this.#waitUntilDone();
        continue;
      }
      if (hasLease && known !== undefined && !this.#mayRepeat()) {
        await this.#release();
        throw interruptedError();
      }
      if (hasLease) return await this.#run(run);
      await this.#waitUntilDone();
      if (!this.#call.isOver) continue;
      // The call is orphaned.
      await this.#release();
      return {};
    }
  }

  /** Runs the call and stores its result. */
  async #run(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    const renewal = setInterval(() => void this.#renew(), leaseMs / 3);
    const end = async (): Promise<void> => {
      clearInterval(renewal);
      await this.#release();
    };
    let isAnswered = false;
    // Answered early: later calls with the same key get that answer instead of waiting.
    this.#call.execution.beforeEarlyResponse = async (result, extension) => {
      isAnswered = true;
      await this.#saveAnswer(result, extension);
      await end();
    };
    try {
      const outcome = await run();
      if (!isAnswered) await this.#saveAnswer(outcome);
      return outcome;
    } catch (error) {
      // A rejected call was not run, so the key may be used again.
      if (this.#call.job === undefined) await this.#save(() => this.#store.remove(this.#name));
      throw error;
    } finally {
      if (!isAnswered) await end();
    }
  }

  async #saveAnswer(outcome: Outcome, extension?: string): Promise<void> {
    const { isOver, openInquiry } = this.#call;
    const result = outcome instanceof PreparedResult ? outcome.toJSON() : outcome;
    const isAbandoned = openInquiry?.pending !== undefined || (isOver && (result as Result).isError === true);
    if (isAbandoned) {
      await this.#save(() => this.#store.remove(this.#name));
      return;
    }
    await this.#save(async () => {
      // Marked as done first: if an instance dies before that, the call's progress is unknown.
      await this.#store.update(this.#name, { done: 'yes', extension }, this.#life);
      const text = JSON.stringify(result);
      if (text.length <= this.#settings.maxAnswer)
        await this.#store.create(this.#answerKey, { text }, this.#answerLife);
    });
  }

  get #answerKey(): string {
    return `${this.#name}/answer`;
  }

  /** Reads the stored answer; undefined if there is none. */
  async #readAnswer(extension: string | undefined): Promise<Outcome | undefined> {
    if (extension !== undefined && !contextOf(this.#call).supports(extension)) {
      throw missingExtension('The answer to the call with this idempotency key', extension);
    }
    const kept = await this.#lookUp(() => this.#store.read(this.#answerKey, this.#answerLife));
    if (kept?.text === undefined) return undefined;
    const { server, params } = this.#call;
    // Older revisions downgrade the result by its tool.
    this.#call.tool = server.catalog.tools.entries.get(params.name as string);
    return JSON.parse(kept.text) as Result;
  }

  /** True for a tool whose annotations allow a repetition. */
  #mayRepeat(): boolean {
    const { server, params } = this.#call;
    const { readOnlyHint, idempotentHint } =
      server.catalog.tools.entries.get(params.name as string)?.tool.annotations ?? {};
    return readOnlyHint === true || idempotentHint === true;
  }

  /** Waits until the running call has finished, or may have. */
  async #waitUntilDone(): Promise<void> {
    const { signal } = this.#call.execution;
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stop = await this.#lookUp(() => this.#store.subscribe(this.#name, wake, wake));
    const timer = setTimeout(wake, pollMs);
    signal.addEventListener('abort', wake, { once: true });
    try {
      // It may have finished before the subscription began.
      const isFree = await this.#lookUp(() => this.#store.lease(`${this.#name}/run`, this.#holder, leaseLife));
      if (!isFree && !signal.aborted) await woken;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      stop();
    }
  }

  async #renew(): Promise<void> {
    await this.#save(() => this.#store.lease(`${this.#name}/run`, this.#holder, leaseLife));
  }

  async #release(): Promise<void> {
    await this.#save(async () => {
      await this.#store.release(`${this.#name}/run`, this.#holder);
      await this.#store.publish(this.#name, '');
    });
  }

  /** Rejects the call if the store fails: running it could be the second time. */
  async #lookUp<T>(operation: () => T | Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (cause) {
      const message = 'The server can not look up idempotency keys now: try again later';
      throw retryLater(message, { retryAfterMs: retryMs, limit: 'server' }, { cause });
    }
  }

  /** Reports a failure of the store to the operator: the answer can still be sent. */
  async #save(operation: () => unknown): Promise<void> {
    try {
      await operation();
    } catch (error) {
      this.#call.host.reportError('The answer to a call with an idempotency key could not be remembered', error);
    }
  }
}

function answerUnavailable(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The call with this idempotency key was served before, but its response was too long to store, or has expired',
  );
}

function interruptedError(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The call with this idempotency key was started by a server that stopped meanwhile: its outcome is unknown, ' +
      'so it is not begun again. Look what it has done, then call with a new key',
  );
}

/** A digest that does not depend on the order of members. */
async function digestOf(args: unknown): Promise<string> {
  let text: string;
  try {
    text = stableStringify(args);
  } catch {
    throw invalidParams('A call with an idempotency key needs "arguments" that are not nested so deeply');
  }
  return toHex((await sha256ByWebCrypto(text)).subarray(0, 16));
}
