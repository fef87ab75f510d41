import { pageLimits } from './page-limits.ts';

/** A bound: how much there may be of something, or how long it may take. */
export interface Limit {
  readonly value: number;
  readonly unit: 'bytes' | 'characters' | 'milliseconds' | 'seconds' | 'count' | 'percent';
  /** What is bounded, in words that fit a table. */
  readonly what: string;
  /** The option that sets another value. Absent: the value stands. */
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
    retryMs: { value: 1 * seconds, unit: 'milliseconds', what: 'pause that a caller is asked for who has too many' },
    rateCallers: { value: 10_000, unit: 'count', what: 'callers whose rate is remembered, per limit' },
    metricTools: { value: 200, unit: 'count', what: 'tools that metrics tell apart; others are counted as one' },
    loggedText: {
      value: 128,
      unit: 'characters',
      what: 'a name, an id or a caller in the log of requests; a longer one is cut',
    },
    idleShareMs: {
      value: 500,
      unit: 'milliseconds',
      what: 'time after which an instance gives back what it does not use of a limit that instances share',
    },
    askShareMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time for a store to answer about such a limit; after that an instance counts for itself for a while',
    },
    idempotencyKey: { value: 256, unit: 'characters', what: 'an idempotency key' },
    idempotencyKeys: {
      value: 10_000,
      unit: 'count',
      what: 'idempotency keys that are remembered, a quarter of them for one caller; of more, the oldest go',
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
    idempotencyAnswers: {
      value: 16 * mebi,
      unit: 'characters',
      what: 'answers that are remembered for keys, a quarter of it for one caller; of more, the oldest of that caller go',
    },
    idempotencyLookMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause between two looks of a call that waits for another one with its key',
    },
    idempotencyLeaseMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time after which a call with a key counts as lost whose instance is gone',
    },
    digests: {
      value: 1000,
      unit: 'count',
      what: 'sessions whose digest, by which logs and traces call them, is remembered',
    },
    maxBatch: { value: 100, unit: 'count', what: 'messages in a batch' },
    batchResults: { value: 4 * mebi, unit: 'characters', what: 'results of a batch together, as JSON' },
    repeatedMemberLevels: {
      value: 64,
      unit: 'count',
      what: 'levels of a message in which a member that stands twice is found',
    },
    pageSize: {
      value: 10_000,
      unit: 'count',
      what: 'rows in one page of a list',
      option: 'pageSize',
      of: 'createServer',
    },
    cursor: { value: 64 * kibi, unit: 'characters', what: 'the cursor of a list' },
    completions: { value: 100, unit: 'count', what: 'values in one completion' },
    clientInfo: {
      value: 4096,
      unit: 'characters',
      what: 'who a client says it is, as JSON; pictures are left out where it is longer',
    },
    clientCapabilities: { value: 8192, unit: 'characters', what: 'what a client says it can do, as JSON' },
    clientDepth: { value: 16, unit: 'count', what: 'levels of either' },
    answerDepth: { value: 1000, unit: 'count', what: "levels of a client's answer to a question" },
    subscriptions: { value: 10_000, unit: 'count', what: 'resources that one client watches' },
    watchedLength: { value: mebi, unit: 'characters', what: 'their addresses together, for one client' },
    watchedInAll: {
      value: 8 * mebi,
      unit: 'bytes',
      what: 'what clients watch on connections and in open requests, for all of them',
    },
    listenAddresses: { value: 1000, unit: 'count', what: 'resources that one `subscriptions/listen` names' },
    listenLength: { value: 128 * kibi, unit: 'characters', what: 'their addresses together' },
    address: { value: 8192, unit: 'characters', what: 'the address of a resource' },
    toolName: { value: 128, unit: 'characters', what: 'the name of a tool' },
    scopes: { value: 32, unit: 'count', what: 'scopes that one operation names, and that one challenge asks for' },
    scopeLength: { value: 256, unit: 'characters', what: 'a scope' },
    knownScopes: {
      value: 10_000,
      unit: 'count',
      what: 'scopes that a server knows to have asked for: a challenge keeps those that its caller has',
    },
    listVariants: {
      value: 16,
      unit: 'count',
      what: 'forms of lists by scope that are kept as text; more are written anew for each caller',
    },
    stateLifetimeMs: {
      value: 10 * minutes,
      unit: 'milliseconds',
      what: 'time for a client to come back to a suspended call',
      option: 'stateLifetimeMs',
      of: 'createServer',
    },
    usedStates: {
      value: 10_000,
      unit: 'count',
      what: 'states that may be used once and were: so many are remembered, until they expire',
    },
    sharedSecretFreshMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'time for which a secret that instances share is not looked at again in the store',
    },
    sharedSecretMs: {
      value: 24 * 60 * minutes,
      unit: 'milliseconds',
      what: 'time after which that secret goes where nobody uses it',
    },
    minStateSecret: { value: 32, unit: 'bytes', what: 'the shortest `stateSecret`' },
    initializedMs: {
      value: 5 * seconds,
      unit: 'milliseconds',
      what: 'time for a client to say that it is ready before it is asked all the same',
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
    stopMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time for a handler to stop after that before it is reported as stuck',
    },
    maxResult: {
      value: 16 * mebi,
      unit: 'characters',
      what: 'a result, as JSON',
      option: 'maxResult',
      of: 'createServer',
    },
    logData: { value: mebi, unit: 'characters', what: 'a log message or a text of progress; a longer one is cut' },
    unreadLog: {
      value: mebi,
      unit: 'characters',
      what: 'log on stderr that nobody reads; more is left out and counted',
    },
    strayErrors: {
      value: 20,
      unit: 'count',
      what: 'errors that nobody caught which are logged in a second; more are counted',
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
    maxTtlMs: { value: 7 * 24 * 60 * minutes, unit: 'milliseconds', what: 'the longest such time' },
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
      what: 'tasks of one caller that are kept; more are refused',
      option: 'maxPerCaller',
      of: 'tasks',
    },
    inAll: {
      value: 10_000,
      unit: 'count',
      what: 'tasks that are kept, over all callers and instances; more are refused',
      option: 'maxInAll',
      of: 'tasks',
    },
    kept: {
      value: 32 * mebi,
      unit: 'characters',
      what: 'what all tasks hold together, over all callers and instances; then new ones are refused',
      option: 'maxKept',
      of: 'tasks',
    },
    shares: { value: 4, unit: 'count', what: 'into so many parts that is divided: one caller may have one of them' },
    running: {
      value: 1000,
      unit: 'count',
      what: 'tasks that one instance works on at a time; more are refused',
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
    arguments: { value: 256 * kibi, unit: 'characters', what: 'arguments of a call that becomes a task, as JSON' },
    questions: { value: 100, unit: 'count', what: 'questions of one task' },
    questionLength: { value: 64 * kibi, unit: 'characters', what: 'a question of a task, or the answer, as JSON' },
    statusMessage: { value: 1000, unit: 'characters', what: 'the message of a task; a longer one is cut' },
    progressMs: { value: 250, unit: 'milliseconds', what: 'time between two messages of a task that are kept' },
    cancelMs: {
      value: 3 * seconds,
      unit: 'milliseconds',
      what: 'time for the handler of a cancelled task to stop, before the task counts as cancelled all the same',
    },
    leaseMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time after which the tasks of an instance that is silent go to another one',
      option: 'leaseMs',
      of: 'tasks',
    },
    lookMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'time after which a task that waits is looked at again, whatever was lost',
    },
    attempts: {
      value: 3,
      unit: 'count',
      what: 'times that the handler of one task is begun, if instances go meanwhile',
    },
    keepMs: { value: 1 * minutes, unit: 'milliseconds', what: 'time for which a task is still known after its own' },
    pageSize: { value: 100, unit: 'count', what: 'tasks on one page of `tasks/list`' },
    listened: { value: 100, unit: 'count', what: 'tasks that one request listens to' },
  },

  telemetry: {
    traceContext: { value: 8192, unit: 'characters', what: 'one member of `_meta` that names a trace, or its baggage' },
    names: { value: 1000, unit: 'count', what: 'methods, tools and prompts that measurements tell apart' },
    text: { value: 1024, unit: 'characters', what: 'an attribute of a span; a longer one is cut' },
    contents: {
      value: 8192,
      unit: 'characters',
      what: 'arguments or results of a tool in a span; longer ones are cut',
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
    value: {
      value: 256,
      unit: 'characters',
      what: 'one value of the arguments; of a longer one the beginning is kept',
    },
    text: { value: 256, unit: 'characters', what: 'any other text of a line, such as the name of a tool' },
    contents: { value: 8192, unit: 'characters', what: 'arguments of one call, or its result; the rest is left out' },
    depth: { value: 8, unit: 'count', what: 'levels of them' },
    members: { value: 64, unit: 'count', what: 'members of one list or object of them' },
    knownNames: {
      value: 1000,
      unit: 'count',
      what: 'names of which it is remembered whether they name secrets, and how they are written',
    },
    tornTail: { value: mebi, unit: 'bytes', what: 'end of a file in which its last whole line is looked for' },
    reportMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'pause between two complaints that it can not be written',
    },
  },

  schema: {
    depth: { value: 64, unit: 'count', what: 'levels of a schema' },
    valueDepth: {
      value: 1000,
      unit: 'count',
      what: 'levels of a schema as JSON, with all values in it, such as defaults',
    },
    subschemas: { value: 10_000, unit: 'count', what: 'subschemas of a schema' },
    untimed: {
      value: 500,
      unit: 'count',
      what: 'subschemas, counted with every reference followed, that are checked without a time limit',
    },
    untimedPatterns: {
      value: 50,
      unit: 'count',
      what: 'regular expressions of a schema, all quick ones, that are tested without a time limit',
    },
    untimedRepeated: {
      value: 50,
      unit: 'count',
      what: 'of those, subschemas for each item or property of a value, whatever their number',
    },
    untimedListed: {
      value: 1000,
      unit: 'count',
      what: 'names of properties and values in `enum` that are compared without a time limit',
    },
    patternPositions: {
      value: 200,
      unit: 'count',
      what: 'characters of a regular expression, repeated parts written out, that is tested in linear time',
    },
    linearPatterns: { value: 50, unit: 'count', what: 'such regular expressions of a schema' },
    keptMoves: { value: 5000, unit: 'count', what: 'moves of such a test that are remembered' },
    compileMs: { value: 2 * seconds, unit: 'milliseconds', what: 'compiling a schema that may be slow' },
    checkMs: { value: 100, unit: 'milliseconds', what: 'checking a value with a schema that may be slow' },
    uncompiledCheckMs: {
      value: 500,
      unit: 'milliseconds',
      what: 'the same, where a process may not make code from strings',
    },
    slowChecksMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time in all for checks with one schema that may be slow, before they have to hurry',
    },
    slowChecksRefillMs: { value: 50, unit: 'milliseconds', what: 'what comes back of it in a second' },
    allSlowChecksMs: { value: 5 * seconds, unit: 'milliseconds', what: 'the same for all schemas of a process' },
    allSlowChecksRefillMs: { value: 200, unit: 'milliseconds', what: 'what comes back of that in a second' },
    hurriedCheckMs: { value: 2, unit: 'milliseconds', what: 'one such check in a hurry' },
    explainMs: { value: 200, unit: 'milliseconds', what: 'explaining what is wrong with such a value' },
    explainedMembers: {
      value: 1000,
      unit: 'count',
      what: 'members of one object that are looked at to explain what is wrong, beside those that the schema names',
    },
    problems: { value: 20, unit: 'count', what: 'problems of one value that are told' },
  },

  stdio: {
    maxMessage: {
      value: mebi,
      unit: 'bytes',
      what: 'one message; a longer one is refused, the next is served',
      option: 'maxMessage',
      of: 'serveStdio',
      flag: '--max-message',
    },
    headers: { value: 8 * kibi, unit: 'bytes', what: 'the headers of a message with `Content-Length`' },
    grace: {
      value: 4500,
      unit: 'milliseconds',
      what: 'time for running requests after the end of input, so that the process exits within five seconds',
      option: 'grace',
      of: 'serveStdio',
    },
    hurriedGraceMs: {
      value: 1500,
      unit: 'milliseconds',
      what: 'the same after a signal, or when the process that started the server is gone',
    },
    lastAnswersMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time for the client to read the last answers, at least',
    },
    unsent: {
      value: mebi,
      unit: 'characters',
      what: 'unsent text; above it no message is taken until half of it is gone',
    },
    strayOutput: {
      value: mebi,
      unit: 'characters',
      what: 'unread output on stderr; above it, what the program prints to stdout is dropped',
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
    headers: { value: 32 * kibi, unit: 'bytes', what: 'the headers of a request' },
    maxRunning: {
      value: 4096,
      unit: 'count',
      what: 'requests that wait for their handlers, over all clients',
      option: 'maxRunning',
      of: 'httpHandler',
    },
    maxStreams: { value: 2000, unit: 'count', what: 'open HTTP streams', option: 'maxStreams', of: 'httpHandler' },
    maxWaiting: {
      value: 4096,
      unit: 'count',
      what: 'requests that wait for their turn because their callers send too many',
    },
    callerShare: {
      value: 25,
      unit: 'percent',
      what: 'the share of calls, waiting requests, streams, sessions and subscriptions that one caller may hold',
      option: 'callerShare',
      of: 'httpHandler',
    },
    addressShare: {
      value: 50,
      unit: 'percent',
      what: 'the same for all callers from one address who do not say who they are',
    },
    companyMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time for which a second caller is remembered: until then they are served in turn',
    },
    callers: { value: 10_000, unit: 'count', what: 'callers who hold nothing and are remembered' },
    placesMs: {
      value: 15 * seconds,
      unit: 'milliseconds',
      what: "time after which an instance that is silent loses its part of a caller's quota to others",
    },
    idlePlacesMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time for which an instance keeps a sixteenth of the quota of a caller who is not there',
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
    cachedSessions: {
      value: 10_000,
      unit: 'count',
      what: 'sessions in a shared store that are also known where they are used; of more, those read longest ago are not',
    },
    cachedLength: { value: 8 * mebi, unit: 'characters', what: 'what is known of all of them' },
    cachedMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'time for which that counts without asking the store, whatever was lost; at most half the life of a session',
    },
    knownMs: {
      value: 250,
      unit: 'milliseconds',
      what: 'time for a store to answer about a session that is known, or to keep an event; then a call goes on without',
    },
    storeLookMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time until it is noticed, for the log, that a store can or can no longer be used',
    },
    storeLogMs: {
      value: 10 * seconds,
      unit: 'milliseconds',
      what: 'time between two lines of the log that say why a store failed',
    },
    relayMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause before it is tried again to listen to the changes of other instances, or to tell them of ours',
    },
    sseSessions: { value: 10_000, unit: 'count', what: 'sessions of the HTTP+SSE transport' },
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
    lastWordsMs: { value: 500, unit: 'milliseconds', what: 'time after that for what was given up to say so' },
    workerReportMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time for a worker to say what it has counted; then what it said before is told',
    },
    workerFailures: {
      value: 5,
      unit: 'count',
      what: 'workers in a row that end before they have settled; where none serves then, it is given up',
    },
    workerSettledMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time after which a worker that serves has settled',
    },
    workerPauseMs: { value: 5 * seconds, unit: 'milliseconds', what: 'longest pause before a worker is replaced' },
    workerLastMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time for what a worker still does when its service is closed',
    },
    lastAnswersMs: { value: 1 * seconds, unit: 'milliseconds', what: 'time for clients to read the last answers' },
    crowded: {
      value: 256 * kibi,
      unit: 'bytes',
      what: 'unsent text of a stream; above it, its reader is told only what it must know',
    },
    unsent: {
      value: 8 * mebi,
      unit: 'bytes',
      what: 'unsent text of a stream, and unsent answers on a connection; above it, the reader is cut off',
    },
    unsentInAll: {
      value: 24 * mebi,
      unit: 'bytes',
      what: 'unsent text of all connections; above it, readers that take nothing are cut off and requests refused',
      option: 'maxUnsent',
      of: 'httpHandler',
    },
    incomingInAll: {
      value: 16 * mebi,
      unit: 'bytes',
      what: 'what requests take while they are read and served, over all connections; above it, others are refused',
      option: 'maxIncoming',
      of: 'httpHandler',
    },
    shortRequest: { value: kibi, unit: 'characters', what: 'a request that is not counted in that' },
    heapMark: { value: 85, unit: 'percent', what: 'use of the heap above which requests are refused' },
    longAnswer: { value: 16 * kibi, unit: 'characters', what: 'an answer that is still sent above that' },
    stalledMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'time in which a client must take something of what waits for it',
      option: 'stalledMs',
      of: 'httpHandler',
    },
    held: {
      value: mebi,
      unit: 'characters',
      what: 'what a reader that is behind is told later; above it, it is cut off',
    },
    heldInAll: { value: 8 * mebi, unit: 'characters', what: 'the same for all readers' },
    keptEvents: { value: 1000, unit: 'count', what: 'events of a session that are kept for a client that comes back' },
    keptEventsLength: { value: 4 * mebi, unit: 'characters', what: 'length of those events' },
    lingerMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'time for a client to come back to its standing stream before news are no longer kept',
    },
    handoverMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'time for whoever kept those news to hand them over; then the client is told to look again',
    },
    recoveryMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause before a store is tried again that could not keep news; then the client is told to look again',
    },
    missedNews: {
      value: 1000,
      unit: 'count',
      what: 'news that are kept meanwhile, each once and nothing of the log; after more, none are',
    },
    missedNewsLength: { value: 256 * kibi, unit: 'characters', what: 'length of those news' },
    retryMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause that clients are asked for before they come back to a stream',
      option: 'retryMs',
      of: 'hangUp',
    },
    retrySpreadMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'what is added to that at most, by chance: those who lost an instance do not all come back at once',
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
      what: 'all members of records in a memory store, such as what sessions watch; more are refused',
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
    redisBeatMs: {
      value: 2 * seconds,
      unit: 'milliseconds',
      what: 'time until it is noticed that Redis is away though nobody uses it, or that it was emptied',
    },
  },

  skills: {
    files: { value: 512, unit: 'count', what: 'files of one skill' },
    size: { value: 16 * mebi, unit: 'bytes', what: 'all files of one skill' },
    all: { value: 128 * mebi, unit: 'bytes', what: 'all files of all skills of a server' },
    entries: { value: 8192, unit: 'count', what: 'files and folders of all skills of a server' },
    depth: { value: 16, unit: 'count', what: 'folders within each other in which skills are looked for' },
    frontmatter: { value: 64 * kibi, unit: 'characters', what: 'the head of a `SKILL.md`' },
    nesting: { value: 32, unit: 'count', what: 'levels that it may be nested' },
    parts: { value: 4096, unit: 'count', what: 'words, marks and ends of lines in it, as YAML tells them apart' },
    name: { value: 64, unit: 'characters', what: 'the name of a skill' },
    description: { value: 1024, unit: 'characters', what: 'its description' },
    compatibility: { value: 500, unit: 'characters', what: 'what it says of where it works' },
    page: { value: 256 * kibi, unit: 'characters', what: 'one page of the list of skills, about' },
    settleMs: { value: 100, unit: 'milliseconds', what: 'pause after a change of files before they are read anew' },
    latestMs: { value: 1 * seconds, unit: 'milliseconds', what: 'the same where they change all the time' },
  },

  apps: {
    view: { value: 4 * mebi, unit: 'bytes', what: 'the document of one view' },
  },

  apiKeys: {
    maxGuesses: {
      value: 100,
      unit: 'count',
      what: 'wrong keys from one address before it is kept waiting',
      option: 'maxGuesses',
      of: 'apiKey',
    },
    windowMs: { value: 10 * seconds, unit: 'milliseconds', what: 'time over which wrong keys are counted' },
    addresses: { value: 10_000, unit: 'count', what: 'addresses that are remembered' },
  },

  oauth: {
    token: { value: 16 * kibi, unit: 'characters', what: 'one token, or one DPoP proof' },
    leewayMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'how far the clock of who makes tokens may be off ours',
      option: 'leewayMs',
      of: 'oauth',
    },
    lastHeader: { value: 4 * kibi, unit: 'characters', what: 'the header with the last token of each open connection' },
    revalidateMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'time for which a token that was checked is not checked again, unless it expires',
      option: 'revalidateMs',
      of: 'oauth',
    },
    verdicts: { value: 10_000, unit: 'count', what: 'tokens that were checked and are remembered, by their digests' },
    refused: { value: 1000, unit: 'count', what: 'refused tokens that are remembered' },
    callersAtHand: { value: 128, unit: 'count', what: 'callers whose claims are not read again with each request' },
    verdictLength: { value: 2_800_000, unit: 'characters', what: 'length of the claims of all of them' },
    refusedMs: { value: 5 * seconds, unit: 'milliseconds', what: 'time for which a refused token is remembered' },
    maxRefusals: {
      value: 100,
      unit: 'count',
      what: 'refused tokens of one address within 10 seconds before no more are asked about',
      option: 'maxRefusals',
      of: 'oauth',
    },
    remoteMs: { value: 5 * seconds, unit: 'milliseconds', what: 'one request to an authorization server' },
    metadata: { value: 1 * mebi, unit: 'bytes', what: 'its metadata, or its keys' },
    introspected: { value: 64 * kibi, unit: 'bytes', what: 'its answer about one token' },
    introspecting: { value: 100, unit: 'count', what: 'tokens that it is asked about at a time; more get 503' },
    keys: { value: 100, unit: 'count', what: 'keys of one issuer; of more, the first' },
    keysFreshMs: { value: 10 * minutes, unit: 'milliseconds', what: 'time for which keys are not asked for again' },
    keysStaleMs: {
      value: 24 * 60 * minutes,
      unit: 'milliseconds',
      what: 'time for which known keys count while their issuer can not be reached',
    },
    firstKeysPauseMs: {
      value: 5 * seconds,
      unit: 'milliseconds',
      what: 'the same pause while no key of that issuer is known',
    },
    keysPauseMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'pause between two requests for keys of one issuer, whatever key ids come',
    },
    tokenHeaders: {
      value: 100,
      unit: 'count',
      what: 'headers of tokens that are not read again: those of one key are alike',
    },
    issuers: {
      value: 100,
      unit: 'count',
      what: 'issuers whose keys are known, where a function decides about issuers',
    },
    newIssuers: { value: 10, unit: 'count', what: 'of them, unknown ones that are asked for keys within 10 seconds' },
    refusalLogMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'pause between two lines in the log about tokens that are refused for one reason',
    },
    proofId: { value: 256, unit: 'characters', what: 'the id of a DPoP proof' },
    proofAge: { value: 300, unit: 'seconds', what: 'how old a DPoP proof may be, or how far ahead' },
    proofs: { value: 50_000, unit: 'count', what: 'DPoP proofs that are remembered, so that none is used twice' },
    nonceMs: { value: 5 * minutes, unit: 'milliseconds', what: 'time after which there is a new DPoP nonce' },
    subject: { value: 1024, unit: 'characters', what: 'the subject of a token' },
    documentAge: { value: 3600, unit: 'seconds', what: 'time for which others may keep the metadata of an endpoint' },
  },

  client: {
    listDepth: { value: 1000, unit: 'count', what: "levels of a server's list, with the schemas in it" },
    retries: {
      value: 2,
      unit: 'count',
      what: 'calls of a tool that are made again after a lost connection, where its annotations or a key allow it',
      option: 'retries',
      of: 'connect',
    },
    retryPauseMs: {
      value: 200,
      unit: 'milliseconds',
      what: 'pause before the first of these; each next one is twice as long',
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
    rounds: { value: 10, unit: 'count', what: 'rounds of questions, or of an extension, within one request' },
    pages: { value: 10_000, unit: 'count', what: 'pages of one list' },
    rows: { value: 1_000_000, unit: 'count', what: 'rows of a list that is read whole' },
    listed: {
      value: 64 * mebi,
      unit: 'characters',
      what: 'length of a list that is read whole, after its first page',
    },
    cursor: { value: 8192, unit: 'characters', what: 'the place in a list that a server names for the next page' },
    knownTools: { value: 10_000, unit: 'count', what: 'tools whose output schemas or mirrored arguments are known' },
    knownSchemas: { value: 16 * mebi, unit: 'characters', what: 'length of those output schemas' },
    questions: { value: 100, unit: 'count', what: 'questions of the server at a time; more are refused' },
    unreadChanges: {
      value: 10_000,
      unit: 'count',
      what: 'changes that nobody has read; of more, only that everything may have changed is told',
    },
    warnings: { value: 100, unit: 'count', what: 'warnings in one conversation; more are left out' },
    cachedLength: { value: 32 * mebi, unit: 'characters', what: 'length of the answers in the cache' },
    cachedAnswers: { value: 1000, unit: 'count', what: 'answers in the cache' },
    rememberedServers: { value: 1000, unit: 'count', what: 'servers remembered as having only the handshake' },
    rememberMs: { value: 60 * minutes, unit: 'milliseconds', what: 'time for which that is remembered' },
    firstCheckMs: { value: 3 * seconds, unit: 'milliseconds', what: "the first check of a tool's results" },
    laterCheckMs: { value: 1 * seconds, unit: 'milliseconds', what: 'each later check' },
    listenAttempts: { value: 5, unit: 'count', what: 'attempts in a row to take up a subscription that broke' },
    extensionListens: { value: 8, unit: 'count', what: 'subscriptions that extensions make for requests, at a time' },
  },

  clientTasks: {
    firstPollMs: {
      value: 100,
      unit: 'milliseconds',
      what: 'pause before a new task is looked at where the server asks for none; each next one is twice as long',
    },
    pollMs: { value: 1 * seconds, unit: 'milliseconds', what: 'the longest of these pauses' },
    shortestPollMs: { value: 50, unit: 'milliseconds', what: 'pause where the server asks for less' },
    longestPollMs: { value: 60 * minutes, unit: 'milliseconds', what: 'pause where the server asks for more' },
    listenAfterMs: {
      value: 100,
      unit: 'milliseconds',
      what: 'time after which a task is listened to that has not ended',
    },
    safetyPollMs: { value: 15 * seconds, unit: 'milliseconds', what: 'pause while a task is listened to, at least' },
    answerMs: { value: 30 * seconds, unit: 'milliseconds', what: 'time for a server to answer about a task' },
    attempts: { value: 10, unit: 'count', what: 'attempts in a row to reach a server about a task' },
    longestPauseMs: { value: 10 * seconds, unit: 'milliseconds', what: 'pause between two of these' },
    questions: { value: 1000, unit: 'count', what: 'questions of one task' },
    id: { value: 1024, unit: 'characters', what: 'the id of a task' },
    listed: { value: 10_000, unit: 'count', what: 'tasks of a list that a server gives' },
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
    silentGraceMs: {
      value: 100,
      unit: 'milliseconds',
      what: 'the same for a server that did not answer in time: when it was connected to, and to the command',
    },
    stderr: { value: 4096, unit: 'characters', what: "end of the server's stderr that is kept" },
    unsent: {
      value: 64 * mebi,
      unit: 'bytes',
      what: 'what a server has not read; above it, the connection is ended',
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
    refusal: { value: 64 * kibi, unit: 'bytes', what: 'what is read of a refusal, or of a body that nobody wants' },
    redirects: { value: 3, unit: 'count', what: 'redirects of one request, within one origin' },
    credentialTries: { value: 3, unit: 'count', what: 'times that one request is sent, with ever new credentials' },
    retryMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: 'pause before a stream is taken up again, where the server names none; doubled at each failure',
    },
    shortestRetryMs: {
      value: 100,
      unit: 'milliseconds',
      what: 'the shortest such pause, whatever the server wants',
    },
    fruitlessStreams: {
      value: 20,
      unit: 'count',
      what: 'streams in a row that end at once without a message before the pauses grow',
    },
    longestRetryMs: { value: 30 * seconds, unit: 'milliseconds', what: 'the longest such pause' },
    resumptions: { value: 5, unit: 'count', what: 'failures in a row to take up the stream of an answer' },
    standingStreamMs: {
      value: 1 * seconds,
      unit: 'milliseconds',
      what: "time that connecting waits for the server's standing stream",
    },
    sseStreamMs: { value: 10 * seconds, unit: 'milliseconds', what: 'time for an HTTP+SSE server to open its stream' },
    takenMs: {
      value: 1 * minutes,
      unit: 'milliseconds',
      what: 'time for a server to take a message that has no answer',
    },
    goodbyeMs: { value: 2 * seconds, unit: 'milliseconds', what: 'time to say goodbye' },
  },

  clientAuth: {
    timeoutMs: {
      value: 30 * seconds,
      unit: 'milliseconds',
      what: 'one request to an authorization server',
      option: 'timeoutMs',
      of: 'oauth',
    },
    answer: { value: 256 * kibi, unit: 'bytes', what: 'the answer to it' },
    signInMs: {
      value: 5 * minutes,
      unit: 'milliseconds',
      what: 'time for a user to sign in',
      option: 'timeoutMs',
      of: 'loopbackAuthorize',
    },
    attempts: { value: 3, unit: 'count', what: 'tokens in a row that are refused at first use' },
    leewayMs: { value: 10 * seconds, unit: 'milliseconds', what: 'time before its end at which a token is replaced' },
    clockSkew: {
      value: 30,
      unit: 'seconds',
      what: 'how far the clock of who signs an assertion or ID token may be off ours',
    },
    assertionLifetime: { value: 120, unit: 'seconds', what: 'life of an assertion that is signed with a private key' },
  },

  appHost: pageLimits.appHost,

  inspector: {
    events: { value: 100_000, unit: 'count', what: 'events of the inspector that are kept; of more, the oldest go' },
    eventsLength: {
      value: 256 * mebi,
      unit: 'characters',
      what: 'length of these events; of more, the oldest go',
    },
    tasks: {
      value: 10_000,
      unit: 'count',
      what: 'tasks of a server that run and are told of by the inspector, and as many that have ended',
    },
    texts: {
      value: 128 * mebi,
      unit: 'characters',
      what: 'messages, params and results that the inspector keeps whole; of more, the oldest are kept by their beginnings',
    },
    text: { value: 16 * mebi, unit: 'characters', what: 'one message that the inspector keeps; a longer one is cut' },
    connections: { value: 50, unit: 'count', what: 'connections of the inspector, open or not' },
    openCalls: { value: 1000, unit: 'count', what: 'calls of the inspector that run at a time, per connection' },
    body: { value: 16 * mebi, unit: 'bytes', what: 'a request of the page of the inspector' },
    bodyDepth: { value: 1000, unit: 'count', what: 'levels of it as JSON' },
    headers: {
      value: 256 * kibi,
      unit: 'bytes',
      what: 'the headers of such a request, with the cookies of every other port of this machine',
    },
    streams: { value: 50, unit: 'count', what: 'pages of the inspector that are open at a time' },
    reconnects: { value: 5, unit: 'count', what: 'times that the inspector tries by itself to come back to a server' },
    savedRequests: { value: 1000, unit: 'count', what: 'requests in the collection of the inspector' },
    collection: { value: 16 * mebi, unit: 'bytes', what: 'the file with the collection of the inspector' },
    recording: { value: 1024 * mebi, unit: 'bytes', what: 'a recording of the inspector; it ends there' },
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
    modelAnswer: { value: 4 * mebi, unit: 'bytes', what: 'such an answer, as it comes' },
    modelAnswersByItself: {
      value: 10,
      unit: 'count',
      what: 'answers that a model gives by itself, per connection and minute; what is asked beyond waits for the person',
    },
    modelTokensByItself: {
      value: 100_000,
      unit: 'count',
      what: 'tokens that these may cost, per connection; then the model answers no more by itself until it is switched on again',
    },
  },

  command: {
    argumentDepth: { value: 1000, unit: 'count', what: 'levels of an argument that is given as JSON' },
    configFile: { value: 16 * mebi, unit: 'bytes', what: "a client's file that is read or edited" },
    keptTasks: { value: 1000, unit: 'count', what: 'tasks at one server that are kept; of more, the oldest go' },
    cancelWaitMs: {
      value: 5 * seconds,
      unit: 'milliseconds',
      what: 'time for a task to stop that an interrupted command cancels',
    },
    lastServers: { value: 8, unit: 'count', what: 'servers that `inspect` offers because they were inspected before' },
    probedLine: { value: mebi, unit: 'characters', what: 'the first line of a server that `probe` looks at' },
  },
});

/** Of these, none is a sensible number. */
const mayBeNone: ReadonlySet<string> = new Set(['grace', 'maxStreams', 'retries', 'timeouts.idleMs']);

/**
 * Refuses options of a function that bound something and make no sense, by their names: what is no number, or none above 0, and
 * more than all of something.
 */
export function checkLimits(of: string, options: object): void {
  for (const group of Object.values<Record<string, Limit>>(limits)) {
    for (const { option, of: taker, unit } of Object.values(group)) {
      if (taker !== of || option === undefined) continue;
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
      throw new TypeError(`${option} must be a number ${range}, and is ${shown(given)}`);
    }
  }
}

function shown(given: unknown): string {
  return typeof given === 'number' ? String(given) : `of the type ${given === null ? 'null' : typeof given}`;
}
