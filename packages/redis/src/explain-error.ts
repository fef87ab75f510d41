/** The context of an error. */
export interface ConnectionInfo {
  where: string;
  prefix: string;
  timeoutMs: number;
  /** True before the first response: another program may be listening there. */
  isNew?: boolean;
}

type Explain = (info: ConnectionInfo) => string;

/** `permanent`: until a setting changes. `unavailable`: temporary. Other errors concern one operation. */
type FailureKind = 'permanent' | 'unavailable';

/** By error message; network errors by their code. */
const explanations: readonly [RegExp, Explain, FailureKind?][] = [
  [
    /^(WRONGPASS|ERR invalid password|ERR AUTH|ERR Client sent AUTH)/,
    ({ where }) =>
      `Redis at ${where} rejects the user or the password: write them into the URL, as in redis://USER:PASSWORD@HOST`,
    'permanent',
  ],
  [
    /^NOAUTH/,
    ({ where }) => `Redis at ${where} wants a password: write it into the URL, as in redis://:PASSWORD@HOST`,
    'permanent',
  ],
  [
    /^NOPERM|NOPERM/,
    ({ where, prefix }) =>
      `The user may not do this in Redis at ${where}: it needs scripts, and keys and channels that begin with {${prefix}}`,
    'permanent',
  ],
  [
    /OOM command not allowed/,
    ({ where }) => `Redis at ${where} is full: raise its "maxmemory", or give the store a server of its own`,
  ],
  [
    /READONLY/,
    ({ where }) =>
      `Redis at ${where} is a replica that can't be written to: name the primary, or its Sentinels (redis+sentinel://…)`,
    'permanent',
  ],
  [/MISCONF/, ({ where }) => `Redis at ${where} takes nothing while it can't write to its disk: look at its log`],
  [
    /^LOADING|BUSY Redis|MASTERDOWN|CLUSTERDOWN|TRYAGAIN/,
    ({ where }) => `Redis at ${where} is not ready yet: try again`,
    'unavailable',
  ],
  [
    /^(MOVED|ASK) /,
    ({ where }) => `Redis at ${where} is part of a cluster: write redis+cluster://HOST:PORT`,
    'permanent',
  ],
  [/cluster support disabled/i, ({ where }) => `Redis at ${where} is no cluster: write redis://HOST:PORT`, 'permanent'],
  [
    /WRONGTYPE|ccmcp-foreign/,
    ({ where, prefix }) =>
      `Redis at ${where} has keys of another program under the prefix "${prefix}": choose another prefix, or database`,
    'permanent',
  ],
  [
    /timed out|ETIMEDOUT|Socket timeout/,
    ({ where, timeoutMs, isNew }) =>
      `Redis at ${where} did not answer within ${timeoutMs} ms: see whether it is there, and how busy it is${isNew ? ', and whether it speaks TLS (rediss://) or not (redis://)' : ''}`,
    'unavailable',
  ],
  [/ECONNREFUSED/, ({ where }) => `Nothing listens at ${where}: start Redis there, or correct the URL`, 'unavailable'],
  [/ENOTFOUND|EAI_AGAIN/, ({ where }) => `The host of ${where} has no address: correct the URL`, 'unavailable'],
  [
    /EHOSTUNREACH|ENETUNREACH/,
    ({ where }) => `No way leads to ${where}: look at the network, or correct the URL`,
    'unavailable',
  ],
  [
    /self.signed|certificate|wrong version number|SSL|TLS/i,
    ({ where }) =>
      `No safe connection to Redis at ${where} can be made: redis:// is for those without TLS, and what signed its certificate must be known (NODE_EXTRA_CA_CERTS)`,
    'permanent',
  ],
  [
    /All sentinels are unreachable/,
    ({ where }) => `None of the Sentinels at ${where} knows that server, or answers`,
    'unavailable',
  ],
  [
    /Failed to refresh slots cache/,
    ({ where }) => `None of the nodes at ${where} answers as part of a cluster`,
    'unavailable',
  ],
  [
    /Connection is closed|None of startup nodes|max retries|ECONNRESET|EPIPE|Stream isn't writeable/i,
    ({ where, isNew }) =>
      isNew
        ? `Redis at ${where} hangs up: see whether it speaks TLS (rediss://) or not (redis://), and how many clients it takes`
        : `The connection to Redis at ${where} was lost: what was under way may have happened or not`,
    'unavailable',
  ],
];

/** An explained error of Redis. */
export class RedisStoreError extends Error {
  constructor(
    message: string,
    readonly kind: FailureKind | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Explains an error of Redis, with a remedy. */
export function explainError(error: unknown, info: ConnectionInfo): RedisStoreError {
  if (error instanceof RedisStoreError) return error;
  removeCommand(error);
  const messages = messagesOf(error);
  const [, explain, kind] = explanations.find(([pattern]) => messages.some((text) => pattern.test(text))) ?? [];
  const message = explain?.(info) ?? `Redis at ${info.where} failed: ${messages[0]}`;
  return new RedisStoreError(message, kind, { cause: error });
}

/** True for an error that only says that there is no connection; an earlier one has the cause. */
export function isClosing(error: unknown): boolean {
  return /Connection is closed|None of startup nodes|max retries/i.test((error as Error).message);
}

/** Removes the command that ioredis attaches to errors: it may contain a password or data. */
function removeCommand(error: unknown): void {
  const { lastNodeError, errors = [] } = error as { lastNodeError?: unknown; errors?: unknown[] };
  Reflect.deleteProperty(error as object, 'command');
  for (const inner of lastNodeError ? [lastNodeError, ...errors] : errors) removeCommand(inner);
}

/** The messages and codes of an error and its causes. */
function messagesOf(error: unknown): string[] {
  const { message, code, lastNodeError, errors } = error as {
    message?: string;
    code?: string;
    lastNodeError?: unknown;
    errors?: unknown[];
  };
  const inner = [...(errors ?? []), ...(lastNodeError ? [lastNodeError] : [])].flatMap(messagesOf);
  return [...inner, ...(message ? [message] : []), ...(code ? [code] : [])];
}
