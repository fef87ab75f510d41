import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { PreparedResult } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';
import { idempotencyMetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import { toHex } from '../../runtime/hex.ts';
import type { Life } from '../../stores/store.ts';
import type { Call } from '../call/call.ts';
import type { Idempotency, OnceStore } from './idempotency.ts';
import type { Outcome } from '../call/operation.ts';
import { missingExtension } from '../extension.ts';
import { later } from '../quotas/overload.ts';

/*
 * A call with a key is three things in the store: a record of the key, which says what was called, and that it is done; the
 * answer; and a lease, which whoever serves the call holds meanwhile. The lease of an instance that has died expires. A record
 * that is not done tells then that the call was begun: it is begun again only where its tool says that it may be repeated.
 */

const longestKey = limits.server.idempotencyKey.value;
const leaseMs = limits.server.idempotencyLeaseMs.value;
const [limit, ownerLimit] = [limits.server.idempotencyKeys.value, limits.server.idempotencyKeys.value / 4];
const leaseLife: Life = { ttlMs: leaseMs, kind: 'once-running', limit };
/** Whoever waits looks so often whether the one that serves the call has died. */
const lookMs = limits.server.idempotencyLookMs.value;
const answersLength = limits.server.idempotencyAnswers.value;

/** The key of a call that is to be served once; undefined for any other. */
export function idempotencyKey({ host, method, params }: Call): unknown {
  if (host.idempotency === undefined || method !== 'tools/call') return undefined;
  return (params._meta as Record<string, unknown> | undefined)?.[idempotencyMetaKey];
}

/** Serves a call, or gives the answer that was given to another one with the same key. Waits where that one is still served. */
export async function runIdempotent(call: Call, key: unknown, run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw invalidParams(`"${idempotencyMetaKey}" in _meta must be a text of 1 to ${longestKey} characters`);
  }
  // Its client may be gone for a moment only, and come back for the answer.
  call.extras.outlives = true;
  const terms = call.host.idempotency as Idempotency;
  const store = call.exchange.store ?? (await terms.own());
  const one = new KeyedCall(call, key, { store, terms });
  return await one.serve(run);
}

class KeyedCall {
  readonly #call: Call;
  readonly #store: OnceStore;
  readonly #terms: Idempotency;
  readonly #name: string;
  readonly #life: Life;
  readonly #answerLife: Life;
  readonly #holder = crypto.randomUUID();

  constructor(call: Call, key: string, { store, terms }: { store: OnceStore; terms: Idempotency }) {
    const { usage, auth } = call.exchange;
    const owner = usage?.rateKey ?? auth?.principal ?? '';
    this.#call = call;
    this.#store = store;
    this.#terms = terms;
    this.#name = `once/${JSON.stringify([owner, call.params.name, key])}`;
    this.#life = { ttlMs: terms.keepMs, kind: 'once', limit, owner, ownerLimit };
    // Counted for itself, and for each caller: nobody's answers make those of another go.
    const room = { length: answersLength, ownerLength: answersLength / 4, evictOwn: true };
    this.#answerLife = { ...this.#life, kind: 'once-answer', room };
  }

  async serve(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    const of = await digestOf(this.#call.params.arguments ?? {});
    for (;;) {
      const isMine = await this.#asked(() => this.#store.lease(`${this.#name}/run`, this.#holder, leaseLife));
      const isNew = isMine && (await this.#asked(() => this.#store.claim(this.#name, this.#life, { of })));
      const known = isNew ? undefined : await this.#asked(() => this.#store.read(this.#name, this.#life));
      if (known !== undefined && (known.of !== of || known.done !== undefined)) {
        if (isMine) await this.#release();
        if (known.of !== of) throw invalidParams('This idempotency key was used with other arguments: use a new one');
        const answer = await this.#remembered(known.extension);
        if (answer !== undefined) return answer;
        if (isMine) throw answerGone();
        // It is done, and its answer is being kept.
        await this.#untilDone();
        continue;
      }
      if (isMine && known !== undefined && !this.#mayRepeat()) {
        await this.#release();
        throw interrupted();
      }
      if (isMine) return await this.#run(run);
      await this.#untilDone();
      if (!this.#call.done) continue;
      // Nobody waits for the answer any more.
      await this.#release();
      return {};
    }
  }

  /** Serves the call, and remembers what came out of it. */
  async #run(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    const renewal = setInterval(() => void this.#renew(), leaseMs / 3);
    const end = async (): Promise<void> => {
      clearInterval(renewal);
      await this.#release();
    };
    let isAnswered = false;
    // Answered before its work is done: whoever comes with the same key is to get that answer, and not to wait.
    this.#call.extras.answering = async (result, extension) => {
      isAnswered = true;
      await this.#remember(result, extension);
      await end();
    };
    try {
      const outcome = await run();
      if (!isAnswered) await this.#remember(outcome);
      return outcome;
    } catch (error) {
      // What is refused was not done, and an answer that nobody got stands for nothing: it may be tried again.
      if (this.#call.aside === undefined) await this.#kept(() => this.#store.remove(this.#name));
      throw error;
    } finally {
      if (!isAnswered) await end();
    }
  }

  async #remember(outcome: Outcome, extension?: string): Promise<void> {
    const { done, extras } = this.#call;
    const result = outcome instanceof PreparedResult ? outcome.toJSON() : outcome;
    const isGivenUp = extras.questions !== undefined || (done && (result as Result).isError === true);
    if (isGivenUp) {
      await this.#kept(() => this.#store.remove(this.#name));
      return;
    }
    await this.#kept(async () => {
      // First that it is done: an instance that dies before it can say so has left a call of which nobody knows how far it came.
      await this.#store.update(this.#name, { done: 'yes', extension }, this.#life);
      const text = JSON.stringify(result);
      if (text.length <= this.#terms.maxAnswer) await this.#store.create(this.#answerKey, { text }, this.#answerLife);
    });
  }

  get #answerKey(): string {
    return `${this.#name}/answer`;
  }

  /** The answer that was given; undefined where it is not there. */
  async #remembered(extension: string | undefined): Promise<Outcome | undefined> {
    if (extension !== undefined && !this.#call.supports(extension)) {
      throw missingExtension('The answer to the call with this idempotency key', extension);
    }
    const kept = await this.#asked(() => this.#store.read(this.#answerKey, this.#answerLife));
    if (kept?.text === undefined) return undefined;
    const { server, params } = this.#call;
    // What older clients get of an answer depends on its tool.
    this.#call.tool = server.tools.entry(params.name as string);
    return JSON.parse(kept.text) as Result;
  }

  /** True for a tool whose author says that it does no harm twice. */
  #mayRepeat(): boolean {
    const { server, params } = this.#call;
    const { readOnlyHint, idempotentHint } = server.tools.entry(params.name as string)?.tool.annotations ?? {};
    return readOnlyHint === true || idempotentHint === true;
  }

  /** Waits until the call that is being served is done, or might be. */
  async #untilDone(): Promise<void> {
    const { signal } = this.#call;
    let wake: () => void = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stop = await this.#asked(() => this.#store.subscribe(this.#name, wake, wake));
    const timer = setTimeout(wake, lookMs);
    signal.addEventListener('abort', wake, { once: true });
    try {
      // It may have been done before anybody listened.
      const isFree = await this.#asked(() => this.#store.lease(`${this.#name}/run`, this.#holder, leaseLife));
      if (!isFree && !signal.aborted) await woken;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      stop();
    }
  }

  async #renew(): Promise<void> {
    await this.#kept(() => this.#store.lease(`${this.#name}/run`, this.#holder, leaseLife));
  }

  async #release(): Promise<void> {
    await this.#kept(async () => {
      await this.#store.release(`${this.#name}/run`, this.#holder);
      await this.#store.publish(this.#name, '');
    });
  }

  /** Where the store can't be asked, a call must not be served: it could be the second time. */
  async #asked<T>(ask: () => T | Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (cause) {
      const message = 'The server can not look up idempotency keys now: try again later';
      throw later(message, { retryAfterMs: limits.server.retryMs.value, limit: 'server' }, { cause });
    }
  }

  /** The answer is there: that it could not be remembered concerns the operator. */
  async #kept(keep: () => unknown): Promise<void> {
    try {
      await keep();
    } catch (error) {
      this.#call.host.reportError('The answer to a call with an idempotency key could not be remembered', error);
    }
  }
}

function answerGone(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The call with this idempotency key was served before, but its answer was too long to be remembered, or is gone by now',
  );
}

function interrupted(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The call with this idempotency key was begun by a server that stopped meanwhile: nobody knows how far it came, ' +
      'so it is not begun again. Look what it has done, then call with a new key',
  );
}

/** A short text that is the same for equal arguments, in whichever order they are written. */
async function digestOf(args: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ordered(args)));
  return toHex(new Uint8Array(bytes, 0, 16));
}

function ordered(value: unknown): string {
  const byName = (_: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [two]) => (one < two ? -1 : 1)))
      : inner;
  try {
    return JSON.stringify(value, byName);
  } catch {
    throw invalidParams('A call with an idempotency key needs "arguments" that are not nested so deeply');
  }
}
