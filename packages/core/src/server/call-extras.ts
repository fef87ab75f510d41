import type { CacheHints, Result } from '../protocol/results.ts';
import type { PendingQuestion } from './questions.ts';

/** What few calls have. Apart from the rest, so that all others are small: thousands of them may wait at a time. */
export class CallExtras {
  /** True where the call goes on though its client went away. */
  outlives = false;
  /** The answers that the caller gave in earlier rounds of the same request, by the key of the question. */
  answers: Readonly<Record<string, unknown>> | undefined;
  /** Cache hints of what is being read, where it has its own. */
  cache: CacheHints | undefined;
  /** Called before the call is answered ahead of its work, with that answer and the extension that it belongs to. */
  answering: ((result: Result, extension: string) => Promise<void>) | undefined;
  /** How many questions wait for the client to answer on the spot. */
  waiting = 0;
  /** How many questions were asked so far: numbers those without a key. */
  asked = 0;
  /** Questions that wait for the client to come back with answers. */
  questions: Map<string, PendingQuestion> | undefined;
  /** Aborted when the call is over. */
  asking: AbortController | undefined;
  /** Begins the task that the handler is to begin. */
  begins: (() => Promise<void>) | undefined;
  /** Ends a call that lasts until it is closed. */
  closed: (() => void) | undefined;
  /** Why the handler was told to stop. */
  stopped: { readonly reason: unknown } | undefined;
  lastProgress = Number.NEGATIVE_INFINITY;
}
