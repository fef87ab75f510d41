import { pageLimits } from './page-limits.ts';

/** A bound: how much there may be of something, or how long it may take. */
export interface Limit {
  readonly value: number;
  readonly unit: 'bytes' | 'characters' | 'milliseconds' | 'seconds' | 'count' | 'percent';
  /** What is bounded, in words that fit a table. */
  readonly what: string;
  /** The option that sets another value. Absent: the value is fixed. */
  readonly option?: string;
  /** The function that takes the option. */
  readonly of?: string;
  /** The flag of the command that does the same. */
  readonly flag?: string;
}

const kibi = 1024;
const mebi = 1024 * 1024;
const seconds = 1000;
const minutes = 60 * seconds;

/** Limits by their names. Said of the names alone, because the types of all values would be a page of each declaration. */
type Grouped<Names extends Record<string, string>> = {
  readonly [Group in keyof Names]: Readonly<Record<Names[Group], Limit>>;
};

function grouped<Groups extends Record<string, Record<string, Limit>>>(
  groups: Groups,
): Grouped<{ [Group in keyof Groups]: keyof Groups[Group] & string }> {
  return groups;
}

/** The bounds that an operator or an author may want to know, by what they belong to: the values in use, to be read. */
export const limits = grouped({
  server: {
    maxRunning: {
      value: 1024,
      unit: 'count',
      what: 'requests running at a time, per connection',
      option: 'maxRunning',
      of: 'createServer',
    },
    idempotencyKeepMs: {
      value: 10 * minutes,
      unit: 'milliseconds',
      what: 'time for which the answer to a call with an idempotency key is remembered',
      option: 'idempotency.keepMs',
      of: 'createServer',
    },
    idempotencyAnswer: {
      value: 256 * kibi,
      unit: 'characters',
      what: 'an answer that is remembered for a key; of a longer one it is remembered that it was given',
      option: 'idempotency.maxAnswer',
      of: 'createServer',
    },
    pageSize: {
      value: 10_000,
      unit: 'count',
      what: 'rows in one page of a list',
      option: 'pageSize',
      of: 'createServer',
    },
    stateLifetimeMs: {
      value: 10 * minutes,
      unit: 'milliseconds',
      what: 'time for a client to come back to a suspended call',
      option: 'stateLifetimeMs',
      of: 'createServer',
    },
    questionTimeoutMs: {
      value: 10 * minutes,
      unit: 'milliseconds',
      what: 'time for a client to answer a question that it is asked on the spot',
      option: 'questionTimeoutMs',
      of: 'createServer',
    },
    handlerTimeoutMs: {
      value: 5 * minutes,
      unit: 'milliseconds',
      what: 'work of a handler on one request; waiting for answers of the client is not counted',
      option: 'handlerTimeoutMs',
      of: 'createServer',
    },
    maxResult: {
      value: 16 * mebi,
      unit: 'characters',
      what: 'a result, as JSON',
      option: 'maxResult',
      of: 'createServer',
    },
  },

  tasks: {
    ttlMs: {
      value: 60 * minutes,
      unit: 'milliseconds',
      what: 'time for which a task is kept, from when it begins, unless its tool says otherwise',
      option: 'ttlMs',
      of: 'tasks',
    },
    pollMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause between two requests of a client about one task, as it is asked for',
      option: 'pollMs',
      of: 'tasks',
    },
    perCaller: {
      value: 1000,
      unit: 'count',
      what: 'tasks of one caller that are kept; more are rejected',
      option: 'maxPerCaller',
      of: 'tasks',
    },
    inAll: {
      value: 10_000,
      unit: 'count',
      what: 'tasks that are kept, over all callers and instances; more are rejected',
      option: 'maxInAll',
      of: 'tasks',
    },
    kept: {
      value: 32 * mebi,
      unit: 'characters',
      what: 'what all tasks hold together, over all callers and instances; then new ones are rejected',
      option: 'maxKept',
      of: 'tasks',
    },
    running: {
      value: 1000,
      unit: 'count',
      what: 'tasks that one instance works on at a time; more are rejected',
      option: 'maxRunning',
      of: 'tasks',
    },
    result: {
      value: 256 * kibi,
      unit: 'characters',
      what: 'the result of a task, as JSON; in place of a longer one stands an error',
      option: 'maxResult',
      of: 'tasks',
    },
    leaseMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time after which the tasks of an instance that is silent go to another one',
      option: 'leaseMs',
      of: 'tasks',
    },
  },

  audit: {
    maxSize: {
      value: 64 * mebi,
      unit: 'bytes',
      what: 'a file of an audit log, before the next is begun',
      option: 'maxSize',
      of: 'audit',
    },
  },

  stdio: {
    maxMessage: {
      value: mebi,
      unit: 'bytes',
      what: 'one message; a longer one is rejected, the next is served',
      option: 'maxMessage',
      of: 'serveStdio',
      flag: '--max-message',
    },
    grace: {
      value: 4500,
      unit: 'milliseconds',
      what: 'time for running requests after the end of input, so that the process exits within five seconds',
      option: 'grace',
      of: 'serveStdio',
    },
  },

  http: {
    maxBody: {
      value: mebi,
      unit: 'bytes',
      what: 'the body of an HTTP request',
      option: 'maxBody',
      of: 'httpHandler',
      flag: '--max-message',
    },
    maxRunning: {
      value: 4096,
      unit: 'count',
      what: 'requests that wait for their handlers, over all clients',
      option: 'maxRunning',
      of: 'httpHandler',
    },
    maxStreams: { value: 2000, unit: 'count', what: 'open HTTP streams', option: 'maxStreams', of: 'httpHandler' },
    callerShare: {
      value: 25,
      unit: 'percent',
      what: 'the share of calls, waiting requests, streams, sessions and subscriptions that one caller may hold',
      option: 'callerShare',
      of: 'httpHandler',
    },
    keepAliveMs: {
      value: 15 * seconds,
      unit: 'milliseconds',
      what: 'silence of an idle stream',
      option: 'keepAliveMs',
      of: 'httpHandler',
    },
    sessions: {
      value: 10_000,
      unit: 'count',
      what: 'HTTP sessions; of more, the least recently used end',
      option: 'sessions.max',
      of: 'httpHandler',
    },
    sessionIdleMs: {
      value: 30 * minutes,
      unit: 'milliseconds',
      what: 'life of an HTTP session that is not used',
      option: 'sessions.idleMs',
      of: 'httpHandler',
    },
    headersMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time for the headers of a request',
      option: 'timeouts.headersMs',
      of: 'serveHttp',
    },
    requestMs: {
      value: 20 * seconds,
      unit: 'milliseconds',
      what: 'time for a whole request',
      option: 'timeouts.requestMs',
      of: 'serveHttp',
    },
    idleMs: {
      value: 15 * seconds,
      unit: 'milliseconds',
      what: 'time between two requests on one connection',
      option: 'timeouts.idleMs',
      of: 'serveHttp',
    },
    graceMs: {
      value: 5 * seconds,
      unit: 'milliseconds',
      what: 'time for running requests when the endpoint is closed',
      option: 'graceMs',
      of: 'close',
    },
    lastRequestsMs: {
      value: 500,
      unit: 'milliseconds',
      what: 'time for requests that are on their way when the endpoint is closed',
      option: 'lingerMs',
      of: 'close',
    },
    unsentInAll: {
      value: 24 * mebi,
      unit: 'bytes',
      what: 'unsent text of all connections; above it, readers that take nothing are cut off and requests rejected',
      option: 'maxUnsent',
      of: 'httpHandler',
    },
    incomingInAll: {
      value: 16 * mebi,
      unit: 'bytes',
      what: 'what requests take while they are read and served, over all connections; above it, others are rejected',
      option: 'maxIncoming',
      of: 'httpHandler',
    },
    stalledMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'time in which a client must take something of what waits for it',
      option: 'stalledMs',
      of: 'httpHandler',
    },
    retryMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause that clients are asked for before they come back to a stream',
      option: 'retryMs',
      of: 'disconnect',
    },
  },

  stores: {
    maxLogLength: {
      value: 16 * mebi,
      unit: 'characters',
      what: 'all logs of a memory store; of more, those go that were written longest ago',
      option: 'maxLogLength',
      of: 'memoryStore',
    },
    maxMemberLength: {
      value: 8 * mebi,
      unit: 'characters',
      what: 'all members of records in a memory store, such as what sessions watch; more are rejected',
      option: 'maxMemberLength',
      of: 'memoryStore',
    },
    maxRecordLength: {
      value: 8 * mebi,
      unit: 'characters',
      what: 'all records of a memory store, such as sessions; of more, those go that were used longest ago',
      option: 'maxRecordLength',
      of: 'memoryStore',
    },
    redisMs: {
      value: 5000,
      unit: 'milliseconds',
      what: 'an answer of Redis to the store there; then the operation fails',
      option: 'timeoutMs',
      of: 'redisStore',
    },
    postgresMs: {
      value: 5000,
      unit: 'milliseconds',
      what: 'a connection to PostgreSQL, and a statement of the store there; then the operation fails',
      option: 'timeoutMs',
      of: 'postgresStore',
    },
    postgresConnections: {
      value: 10,
      unit: 'count',
      what: 'connections of that store for statements; one more is for messages',
      option: 'maxConnections',
      of: 'postgresStore',
    },
  },

  gateway: {
    firstBackoffMs: {
      value: 500,
      unit: 'milliseconds',
      what: 'the delay after the second failure of an upstream in a row; it doubles with each further one',
      option: 'backoff.firstMs',
      of: 'remote',
    },
    maxBackoffMs: {
      value: 60000,
      unit: 'milliseconds',
      what: 'the longest delay between attempts to connect to an upstream',
      option: 'backoff.maxMs',
      of: 'remote',
    },
    stableMs: {
      value: 10000,
      unit: 'milliseconds',
      what: 'a connection to an upstream that lasted this long was no failure',
      option: 'backoff.stableMs',
      of: 'remote',
    },
    maxTimeoutMs: {
      value: 3600000,
      unit: 'milliseconds',
      what: 'a request to an upstream in total, questions included',
      option: 'maxTimeoutMs',
      of: 'remote',
    },
    listWaitMs: {
      value: 5000,
      unit: 'milliseconds',
      what: 'a list waits for an upstream whose lists are not known yet',
      option: 'listWaitMs',
      of: 'remote',
    },
    answerMs: {
      value: 600000,
      unit: 'milliseconds',
      what: 'a call waits upstream for the answer of a stateless client',
      option: 'answerMs',
      of: 'remote',
    },
    maxSuspended: {
      value: 1000,
      unit: 'count',
      what: 'calls of one upstream that wait so at a time',
      option: 'maxSuspended',
      of: 'remote',
    },
    idleMs: {
      value: 300000,
      unit: 'milliseconds',
      what: 'an upstream that is not used is kept',
      option: 'idleMs',
      of: 'remote',
    },
    maxConnections: {
      value: 8,
      unit: 'count',
      what: 'connections to one upstream',
      option: 'maxConnections',
      of: 'remote',
    },
    maxCallers: {
      value: 1000,
      unit: 'count',
      what: 'callers with credentials of their own whose lists and connections are kept',
      option: 'maxCallers',
      of: 'remote',
    },
    signInMs: {
      value: 600000,
      unit: 'milliseconds',
      what: 'a caller may take to sign in to an upstream',
      option: 'signInMs',
      of: 'signIns',
    },
    signInWaitMs: {
      value: 45000,
      unit: 'milliseconds',
      what: 'a call waits for its caller to sign in',
      option: 'signInWaitMs',
      of: 'remote',
    },
  },

  apiKeys: {
    maxGuesses: {
      value: 100,
      unit: 'count',
      what: 'wrong keys from one address before it is kept waiting',
      option: 'maxGuesses',
      of: 'apiKey',
    },
  },

  oauth: {
    leewayMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'how far the clock of who makes tokens may be off ours',
      option: 'leewayMs',
      of: 'oauth',
    },
    revalidateMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'time for which a token that was checked is not checked again, unless it expires',
      option: 'revalidateMs',
      of: 'oauth',
    },
    maxRejectedTokens: {
      value: 100,
      unit: 'count',
      what: 'rejected tokens of one address within 10 seconds before no more are asked about',
      option: 'maxRejectedTokens',
      of: 'oauth',
    },
  },

  client: {
    retries: {
      value: 2,
      unit: 'count',
      what: 'calls of a tool that are made again after a lost connection, where its annotations or a key allow it',
      option: 'retries',
      of: 'connect',
    },
    timeoutMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'a request without answer or progress',
      option: 'timeoutMs',
      of: 'connect',
    },
    maxTimeoutMs: {
      value: 10 * minutes,
      unit: 'milliseconds',
      what: 'a request in all',
      option: 'maxTimeoutMs',
      of: 'connect',
    },
    probeMs: {
      value: 5 * seconds,
      unit: 'milliseconds',
      what: 'silence of a server on a pipe before it is taken for one that wants a handshake',
      option: 'probeMs',
      of: 'connect',
    },
  },

  clientStdio: {
    maxMessage: { value: 64 * mebi, unit: 'bytes', what: 'one message', option: 'maxMessage', of: 'spawn' },
    graceMs: {
      value: 2 * seconds,
      unit: 'milliseconds',
      what: 'each step of ending the server',
      option: 'graceMs',
      of: 'spawn',
    },
  },

  clientHttp: {
    maxMessage: {
      value: 64 * mebi,
      unit: 'characters',
      what: 'one message',
      option: 'maxMessage',
      of: 'httpTransport',
    },
  },

  clientAuth: {
    timeoutMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'one request to an authorization server',
      option: 'timeoutMs',
      of: 'oauth',
    },
    signInMs: {
      value: 5 * minutes,
      unit: 'milliseconds',
      what: 'time for a user to sign in',
      option: 'timeoutMs',
      of: 'loopbackAuthorize',
    },
  },

  appHost: pageLimits.appHost,

  inspector: {
    probeMs: {
      value: 20 * seconds,
      unit: 'milliseconds',
      what: 'an answer of a server that is examined, where the command says nothing else',
      option: 'timeoutMs',
      of: 'probe',
    },
    modelMs: {
      value: 5 * minutes,
      unit: 'milliseconds',
      what: 'time for a model to answer what a server asks it through the inspector',
      option: 'model.timeoutMs',
      of: 'inspector',
    },
    modelTokens: {
      value: 4096,
      unit: 'count',
      what: 'tokens that such an answer may have; a server may ask for less',
      option: 'model.maxTokens',
      of: 'inspector',
    },
  },
});

/** Of these, none is a sensible number. */
const mayBeNone: ReadonlySet<string> = new Set(['grace', 'maxStreams', 'retries', 'timeouts.idleMs']);

/**
 * Rejects options of a function that bound something and make no sense, by their names: what is no number, or none above 0, and
 * more than all of something.
 */
export function checkLimits(of: string, options: object): void {
  for (const group of Object.values<Record<string, Limit>>(limits)) {
    for (const { option, of: owner, unit } of Object.values(group)) {
      if (owner !== of || option === undefined) continue;
      const given = option
        .split('.')
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], options);
      const most = unit === 'percent' ? 100 : Number.POSITIVE_INFINITY;
      if (
        given === undefined ||
        (typeof given === 'number' && given <= most && (given > 0 || (given === 0 && mayBeNone.has(option))))
      )
        continue;
      const range = unit === 'percent' ? 'above 0, and at most 100' : 'above 0';
      throw new TypeError(`${option} must be a number ${range}, and is ${toShortText(given)}`);
    }
  }
}

function toShortText(given: unknown): string {
  return typeof given === 'number' ? String(given) : `of the type ${given === null ? 'null' : typeof given}`;
}
