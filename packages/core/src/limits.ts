import { pageLimits } from './page-limits.ts';

/** A limit on a size, a count or a duration. */
export interface Limit {
  readonly value: number;
  readonly unit: 'bytes' | 'characters' | 'milliseconds' | 'seconds' | 'count' | 'percent';
  /** The limited resource, in words for a table. */
  readonly what: string;
  /** The option that sets another value. Absent: the value is fixed. */
  readonly option?: string;
  /** The function that takes the option. */
  readonly of?: string;
  /** The flag of the command that sets it. */
  readonly flag?: string;
}

const kibi = 1024;
const mebi = 1024 * 1024;
const seconds = 1000;
const minutes = 60 * seconds;

/** Limits by name. Only the names are typed: the types of all values would make each declaration a page long. */
type Grouped<Names extends Record<string, string>> = {
  readonly [Group in keyof Names]: Readonly<Record<Names[Group], Limit>>;
};

function grouped<Groups extends Record<string, Record<string, Limit>>>(
  groups: Groups,
): Grouped<{ [Group in keyof Groups]: keyof Groups[Group] & string }> {
  return groups;
}

/** A limit; its option has its name unless another is given. */
type Row = Omit<Limit, 'of'>;
type CreateRow = (value: number, what: string, more?: Pick<Limit, 'option' | 'flag'>) => Row;

function rowsIn(unit: Limit['unit']): CreateRow {
  return (value, what, more) => ({ value, unit, what, ...more });
}

const bytes = rowsIn('bytes');
const characters = rowsIn('characters');
const count = rowsIn('count');
const milliseconds = rowsIn('milliseconds');
const percent = rowsIn('percent');

/** The limits that are options of a function. */
function optionsOf<Rows extends Record<string, Row>>(of: string, rows: Rows): Record<keyof Rows, Limit> {
  const limits = Object.entries(rows).map(([name, row]) => [name, { option: name, ...row, of }]);
  return Object.fromEntries(limits) as Record<keyof Rows, Limit>;
}

/** The limits that operators and authors may want to know, by topic, with their default values. */
export const limits = grouped({
  server: optionsOf('createServer', {
    maxRunning: count(1024, 'requests running at a time, per connection'),
    idempotencyKeepMs: milliseconds(10 * minutes, 'lifetime of the stored answer to a call with an idempotency key', {
      option: 'idempotency.keepMs',
    }),
    idempotencyAnswer: characters(
      256 * kibi,
      'an answer that is stored for an idempotency key; of a longer one, only that it was sent',
      { option: 'idempotency.maxAnswer' },
    ),
    pageSize: count(10_000, 'rows in one page of a list'),
    stateLifetimeMs: milliseconds(10 * minutes, 'time for a client to retry a suspended call with its answers'),
    questionTimeoutMs: milliseconds(10 * minutes, 'time for a client to answer a question that is sent as a request'),
    handlerTimeoutMs: milliseconds(
      5 * minutes,
      'timeout of a handler; waiting for answers of the client is not counted',
    ),
    maxResult: characters(16 * mebi, 'a result, as JSON'),
  }),

  tasks: optionsOf('tasks', {
    ttlMs: milliseconds(60 * minutes, 'lifetime of a task, from its start, unless its tool sets another'),
    pollMs: milliseconds(1 * seconds, 'polling interval that clients of a task are asked for'),
    perCaller: count(1000, 'stored tasks of one caller; more are rejected', { option: 'maxPerCaller' }),
    inAll: count(10_000, 'stored tasks of all callers and instances; more are rejected', {
      option: 'maxInAll',
    }),
    kept: characters(
      32 * mebi,
      'size of all stored tasks, over all callers and instances; then new ones are rejected',
      { option: 'maxKept' },
    ),
    running: count(1000, 'tasks that one instance runs at a time; more are rejected', { option: 'maxRunning' }),
    result: characters(256 * kibi, 'the result of a task, as JSON; a longer one becomes an error', {
      option: 'maxResult',
    }),
    leaseMs: milliseconds(
      10 * seconds,
      'lease of an instance on its tasks; when it expires, another instance takes over',
    ),
  }),

  audit: optionsOf('audit', {
    maxSize: bytes(64 * mebi, 'a file of an audit log, before it is rotated'),
  }),

  stdio: optionsOf('serveStdio', {
    maxMessage: bytes(mebi, 'one message; a longer one is rejected, the next is served', { flag: '--max-message' }),
    grace: milliseconds(
      4500,
      'grace period of running requests after the end of input, so that the process exits within five seconds',
    ),
  }),

  http: {
    ...optionsOf('httpHandler', {
      maxBody: bytes(mebi, 'the body of an HTTP request', { flag: '--max-message' }),
      maxRunning: count(4096, 'requests in flight, over all clients'),
      maxStreams: count(2000, 'open HTTP streams'),
      callerShare: percent(
        25,
        'quota of one caller: its share of calls, requests in flight, streams, sessions and subscriptions',
      ),
      keepAliveMs: milliseconds(15 * seconds, 'interval of keep-alive comments on an idle stream'),
      sessions: count(10_000, 'HTTP sessions; beyond it, the least recently used are evicted', {
        option: 'sessions.max',
      }),
      sessionIdleMs: milliseconds(30 * minutes, 'time after which an unused HTTP session expires', {
        option: 'sessions.idleMs',
      }),
      unsentInAll: bytes(
        24 * mebi,
        'unsent responses of all connections; above it, slow consumers are dropped and requests rejected',
        { option: 'maxUnsent' },
      ),
      incomingInAll: bytes(
        16 * mebi,
        'memory of requests while they are read and served, over all connections; above it, others are rejected',
        { option: 'maxIncoming' },
      ),
      stalledMs: milliseconds(30 * seconds, 'time after which a client that reads nothing is a slow consumer'),
    }),
    ...optionsOf('serveHttp', {
      headersMs: milliseconds(10 * seconds, 'timeout of the headers of a request', { option: 'timeouts.headersMs' }),
      requestMs: milliseconds(20 * seconds, 'timeout of a whole request', { option: 'timeouts.requestMs' }),
      idleMs: milliseconds(15 * seconds, 'timeout of an idle connection', { option: 'timeouts.idleMs' }),
    }),
    ...optionsOf('close', {
      graceMs: milliseconds(5 * seconds, 'grace period of running requests when the endpoint is closed'),
      lastRequestsMs: milliseconds(500, 'time in which requests still arrive when the endpoint is closed', {
        option: 'lingerMs',
      }),
    }),
    ...optionsOf('disconnect', {
      retryMs: milliseconds(1 * seconds, 'delay that clients are asked for before they reconnect to a stream'),
    }),
  },

  stores: {
    ...optionsOf('memoryStore', {
      maxLogLength: characters(
        16 * mebi,
        'all logs of a memory store; beyond it, the least recently written are evicted',
      ),
      maxMemberLength: characters(
        8 * mebi,
        'all members of records in a memory store, such as subscriptions of sessions; more are rejected',
      ),
      maxRecordLength: characters(
        8 * mebi,
        'all records of a memory store, such as sessions; beyond it, the least recently used are evicted',
      ),
    }),
    ...optionsOf('redisStore', {
      redisMs: milliseconds(5000, 'timeout of an operation of the Redis store', {
        option: 'timeoutMs',
      }),
    }),
    ...optionsOf('postgresStore', {
      postgresMs: milliseconds(5000, 'timeout of a connection to PostgreSQL, and of a statement of the store', {
        option: 'timeoutMs',
      }),
      postgresConnections: count(10, 'connections of the PostgreSQL store for statements; one more is for messages', {
        option: 'maxConnections',
      }),
    }),
  },

  gateway: {
    ...optionsOf('remote', {
      firstBackoffMs: milliseconds(
        500,
        'the delay after the second failure of an upstream in a row; it doubles with each further one',
        { option: 'backoff.firstMs' },
      ),
      maxBackoffMs: milliseconds(60000, 'the longest delay between attempts to connect to an upstream', {
        option: 'backoff.maxMs',
      }),
      stableMs: milliseconds(10000, 'a connection to an upstream that lasted this long was no failure', {
        option: 'backoff.stableMs',
      }),
      maxTimeoutMs: milliseconds(3600000, 'a request to an upstream in total, questions included'),
      listWaitMs: milliseconds(5000, 'a list waits for an upstream whose lists are not known yet'),
      answerMs: milliseconds(600000, 'a call waits upstream for the answer of a stateless client'),
      maxSuspended: count(1000, 'calls of one upstream that wait so at a time'),
      idleMs: milliseconds(300000, 'an upstream that is not used is kept'),
      maxConnections: count(8, 'connections to one upstream'),
      maxCallers: count(1000, 'callers with credentials of their own whose lists and connections are kept'),
      signInWaitMs: milliseconds(45000, 'a call waits for its caller to sign in'),
    }),
    ...optionsOf('signIns', {
      signInMs: milliseconds(600000, 'a caller may take to sign in to an upstream'),
    }),
  },

  apiKeys: optionsOf('apiKey', {
    maxGuesses: count(100, 'wrong keys from one address before it is rate limited'),
  }),

  oauth: optionsOf('oauth', {
    leewayMs: milliseconds(30 * seconds, 'allowed clock skew between the token issuer and this server'),
    revalidateMs: milliseconds(1 * minutes, 'lifetime of a cached verdict on a token, unless the token expires'),
    maxRejectedTokens: count(100, 'rejected tokens of one address within 10 seconds before it is rate limited'),
  }),

  client: optionsOf('connect', {
    retries: count(
      2,
      'retries of a tool call after a lost connection, if its annotations or an idempotency key allow it',
    ),
    timeoutMs: milliseconds(1 * minutes, 'timeout of a request without answer or progress'),
    maxTimeoutMs: milliseconds(10 * minutes, 'timeout of a request in total'),
    probeMs: milliseconds(
      5 * seconds,
      'time to wait for the first answer of a server on stdio before the handshake is tried',
    ),
  }),

  clientStdio: optionsOf('spawn', {
    maxMessage: bytes(64 * mebi, 'one message'),
    graceMs: milliseconds(2 * seconds, 'each step of terminating the server: end of input, SIGTERM, SIGKILL'),
  }),

  clientHttp: optionsOf('httpTransport', {
    maxMessage: characters(64 * mebi, 'one message'),
  }),

  clientAuth: {
    ...optionsOf('oauth', {
      timeoutMs: milliseconds(30 * seconds, 'timeout of a request to an authorization server'),
    }),
    ...optionsOf('loopbackAuthorize', {
      signInMs: milliseconds(5 * minutes, 'time for a user to sign in', { option: 'timeoutMs' }),
    }),
  },

  appHost: pageLimits.appHost,

  inspector: {
    ...optionsOf('probe', {
      probeMs: milliseconds(
        20 * seconds,
        'timeout of a request to the server that is probed, unless the command sets another',
        { option: 'timeoutMs' },
      ),
    }),
    ...optionsOf('inspector', {
      modelMs: milliseconds(5 * minutes, 'timeout of a model that answers sampling requests in the inspector', {
        option: 'model.timeoutMs',
      }),
      modelTokens: count(4096, 'tokens of such an answer; a server may ask for less', {
        option: 'model.maxTokens',
      }),
    }),
  },
});

/** Options that may be 0: none. */
const mayBeNone: ReadonlySet<string> = new Set(['grace', 'maxStreams', 'retries', 'timeouts.idleMs']);

/**
 * Throws if a limit among the options of a function is not a number above 0, or a percentage above 100. The build fills
 * in `names`, so that the table is only read for options that are given.
 */
export function checkLimits(of: string, options: object, names: readonly string[] = optionNames(of)): void {
  for (const name of names) {
    const path = name.includes('.') ? name.split('.') : undefined;
    const value = path === undefined ? (options as Record<string, unknown>)[name] : valueAt(options, path);
    if (value !== undefined) checkLimit(of, name, value);
  }
}

/** The value of an option of options, such as `idempotency.keepMs`. */
function valueAt(options: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], options);
}

/** The names of the options of a function that are limits. */
function optionNames(of: string): string[] {
  return limitsOf(of).map(({ option }) => option as string);
}

function checkLimit(of: string, name: string, given: unknown): void {
  const isPercentage = limitsOf(of).some(({ option, unit }) => option === name && unit === 'percent');
  const most = isPercentage ? 100 : Number.POSITIVE_INFINITY;
  if (typeof given === 'number' && given <= most && (given > 0 || (given === 0 && mayBeNone.has(name)))) return;
  const range = isPercentage ? 'above 0, and at most 100' : 'above 0';
  throw new TypeError(`${name} must be a number ${range}, and is ${toShortText(given)}`);
}

/** The limits of each function that are options. */
const byFunction: Record<string, Limit[]> = {};

function limitsOf(of: string): Limit[] {
  return (byFunction[of] ??= Object.values<Record<string, Limit>>(limits)
    .flatMap((group) => Object.values(group))
    .filter((limit) => limit.of === of && limit.option !== undefined));
}

function toShortText(given: unknown): string {
  return typeof given === 'number' ? String(given) : `of the type ${given === null ? 'null' : typeof given}`;
}
