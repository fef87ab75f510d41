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
    idempotencyKeepMs: milliseconds(
      10 * minutes,
      'time for which the answer to a call with an idempotency key is remembered',
      { option: 'idempotency.keepMs' },
    ),
    idempotencyAnswer: characters(
      256 * kibi,
      'an answer that is remembered for a key; of a longer one it is remembered that it was given',
      { option: 'idempotency.maxAnswer' },
    ),
    pageSize: count(10_000, 'rows in one page of a list'),
    stateLifetimeMs: milliseconds(10 * minutes, 'time for a client to come back to a suspended call'),
    questionTimeoutMs: milliseconds(
      10 * minutes,
      'time for a client to answer a question that it is asked on the spot',
    ),
    handlerTimeoutMs: milliseconds(
      5 * minutes,
      'work of a handler on one request; waiting for answers of the client is not counted',
    ),
    maxResult: characters(16 * mebi, 'a result, as JSON'),
  }),

  tasks: optionsOf('tasks', {
    ttlMs: milliseconds(
      60 * minutes,
      'time for which a task is kept, from when it begins, unless its tool says otherwise',
    ),
    pollMs: milliseconds(1 * seconds, 'pause between two requests of a client about one task, as it is asked for'),
    perCaller: count(1000, 'tasks of one caller that are kept; more are rejected', { option: 'maxPerCaller' }),
    inAll: count(10_000, 'tasks that are kept, over all callers and instances; more are rejected', {
      option: 'maxInAll',
    }),
    kept: characters(
      32 * mebi,
      'what all tasks hold together, over all callers and instances; then new ones are rejected',
      { option: 'maxKept' },
    ),
    running: count(1000, 'tasks that one instance works on at a time; more are rejected', { option: 'maxRunning' }),
    result: characters(256 * kibi, 'the result of a task, as JSON; in place of a longer one stands an error', {
      option: 'maxResult',
    }),
    leaseMs: milliseconds(10 * seconds, 'time after which the tasks of an instance that is silent go to another one'),
  }),

  audit: optionsOf('audit', {
    maxSize: bytes(64 * mebi, 'a file of an audit log, before the next is begun'),
  }),

  stdio: optionsOf('serveStdio', {
    maxMessage: bytes(mebi, 'one message; a longer one is rejected, the next is served', { flag: '--max-message' }),
    grace: milliseconds(
      4500,
      'time for running requests after the end of input, so that the process exits within five seconds',
    ),
  }),

  http: {
    ...optionsOf('httpHandler', {
      maxBody: bytes(mebi, 'the body of an HTTP request', { flag: '--max-message' }),
      maxRunning: count(4096, 'requests that wait for their handlers, over all clients'),
      maxStreams: count(2000, 'open HTTP streams'),
      callerShare: percent(
        25,
        'the share of calls, waiting requests, streams, sessions and subscriptions that one caller may hold',
      ),
      keepAliveMs: milliseconds(15 * seconds, 'silence of an idle stream'),
      sessions: count(10_000, 'HTTP sessions; of more, the least recently used end', { option: 'sessions.max' }),
      sessionIdleMs: milliseconds(30 * minutes, 'life of an HTTP session that is not used', {
        option: 'sessions.idleMs',
      }),
      unsentInAll: bytes(
        24 * mebi,
        'unsent text of all connections; above it, readers that take nothing are cut off and requests rejected',
        { option: 'maxUnsent' },
      ),
      incomingInAll: bytes(
        16 * mebi,
        'what requests take while they are read and served, over all connections; above it, others are rejected',
        { option: 'maxIncoming' },
      ),
      stalledMs: milliseconds(30 * seconds, 'time in which a client must take something of what waits for it'),
    }),
    ...optionsOf('serveHttp', {
      headersMs: milliseconds(10 * seconds, 'time for the headers of a request', { option: 'timeouts.headersMs' }),
      requestMs: milliseconds(20 * seconds, 'time for a whole request', { option: 'timeouts.requestMs' }),
      idleMs: milliseconds(15 * seconds, 'time between two requests on one connection', { option: 'timeouts.idleMs' }),
    }),
    ...optionsOf('close', {
      graceMs: milliseconds(5 * seconds, 'time for running requests when the endpoint is closed'),
      lastRequestsMs: milliseconds(500, 'time for requests that are on their way when the endpoint is closed', {
        option: 'lingerMs',
      }),
    }),
    ...optionsOf('disconnect', {
      retryMs: milliseconds(1 * seconds, 'pause that clients are asked for before they come back to a stream'),
    }),
  },

  stores: {
    ...optionsOf('memoryStore', {
      maxLogLength: characters(
        16 * mebi,
        'all logs of a memory store; of more, those go that were written longest ago',
      ),
      maxMemberLength: characters(
        8 * mebi,
        'all members of records in a memory store, such as what sessions watch; more are rejected',
      ),
      maxRecordLength: characters(
        8 * mebi,
        'all records of a memory store, such as sessions; of more, those go that were used longest ago',
      ),
    }),
    ...optionsOf('redisStore', {
      redisMs: milliseconds(5000, 'an answer of Redis to the store there; then the operation fails', {
        option: 'timeoutMs',
      }),
    }),
    ...optionsOf('postgresStore', {
      postgresMs: milliseconds(
        5000,
        'a connection to PostgreSQL, and a statement of the store there; then the operation fails',
        { option: 'timeoutMs' },
      ),
      postgresConnections: count(10, 'connections of that store for statements; one more is for messages', {
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
    maxGuesses: count(100, 'wrong keys from one address before it is delayed'),
  }),

  oauth: optionsOf('oauth', {
    leewayMs: milliseconds(30 * seconds, 'allowed clock skew between the token issuer and this server'),
    revalidateMs: milliseconds(
      1 * minutes,
      'time for which a token that was checked is not checked again, unless it expires',
    ),
    maxRejectedTokens: count(100, 'rejected tokens of one address within 10 seconds before no more are asked about'),
  }),

  client: optionsOf('connect', {
    retries: count(
      2,
      'calls of a tool that are made again after a lost connection, where its annotations or a key allow it',
    ),
    timeoutMs: milliseconds(1 * minutes, 'a request without answer or progress'),
    maxTimeoutMs: milliseconds(10 * minutes, 'a request in all'),
    probeMs: milliseconds(
      5 * seconds,
      'silence of a server on a pipe before it is taken for one that wants a handshake',
    ),
  }),

  clientStdio: optionsOf('spawn', {
    maxMessage: bytes(64 * mebi, 'one message'),
    graceMs: milliseconds(2 * seconds, 'each step of ending the server'),
  }),

  clientHttp: optionsOf('httpTransport', {
    maxMessage: characters(64 * mebi, 'one message'),
  }),

  clientAuth: {
    ...optionsOf('oauth', {
      timeoutMs: milliseconds(30 * seconds, 'one request to an authorization server'),
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
        'an answer of a server that is examined, where the command says nothing else',
        { option: 'timeoutMs' },
      ),
    }),
    ...optionsOf('inspector', {
      modelMs: milliseconds(5 * minutes, 'time for a model to answer what a server asks it through the inspector', {
        option: 'model.timeoutMs',
      }),
      modelTokens: count(4096, 'tokens that such an answer may have; a server may ask for less', {
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
