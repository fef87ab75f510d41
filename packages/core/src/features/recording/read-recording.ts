import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isObject } from '../../jsonrpc/message.ts';
import { type RecordedMessage, recordingFormat, recordingVersion } from './format.ts';
import { matchKeys, type MatchKeys } from './match-key.ts';
import { progressTokenOf } from './message-references.ts';
import { type FileLine, readLines } from './read-lines.ts';
import type { RecordingEnd } from './recording-writer.ts';
import { RequestIds } from './request-ids.ts';

/** Maximum messages of a recording. */
const maxMessages = 1_000_000;
/** Maximum problems that are described; further ones are counted. */
const maxProblems = 10;

const emptyFile = 'The file is empty: it is no recording';

/** A recording that can be replayed. */
export interface Recording {
  readonly connections: readonly RecordedSession[];
  /** What is wrong with the file, such as a truncated line. The rest can be replayed. */
  readonly problems: readonly string[];
  /** Reads a message. */
  message(at: MessagePosition): Record<string, unknown> | undefined;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Where a message is in the file. */
export interface MessagePosition {
  readonly offset: number;
  readonly length: number;
}

/** A recorded connection. */
export interface RecordedSession {
  readonly id: string;
  readonly label: string;
  /** The revision of its handshake. */
  revision: string | undefined;
  /** What the client sent, in order. */
  readonly cues: Cue[];
  /** The requests among them. */
  readonly requests: Cue[];
}

/** A request or notification of a client, and what the server sent because of it. */
export interface Cue {
  readonly method: string;
  readonly position: MessagePosition;
  /** Id of a request. */
  readonly id: string | number | undefined;
  /** Keys of a request. */
  readonly keys: MatchKeys | undefined;
  /** What the server sent, in order, and where it waited for the client. */
  readonly steps: Step[];
  /** How a request ended. */
  end: 'answered' | 'cancelled' | 'none';
}

/** A message of the server, or a pause until the client has answered a question. */
export type Step =
  | { readonly is: 'message'; readonly position: MessagePosition }
  | { readonly is: 'pause'; readonly question: string | number };

/** Opens a recording and indexes it, with bounded memory. Throws if it is none. */
export async function readRecording(file: string): Promise<Recording> {
  const handle = await open(file, 'r');
  try {
    return await index(handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads where a recording ends, to continue it. Throws if the file is none. */
export async function readRecordingEnd(file: string): Promise<RecordingEnd & { readonly isTruncated: boolean }> {
  const handle = await open(file, 'r');
  try {
    let [events, connections, exchanges] = [0, 0, 0];
    let isTruncated = false;
    let isRecording = false;
    for await (const line of readLines(handle)) {
      if (line.number === 1) assertHead(line);
      else events += 1;
      isRecording = true;
      const start = line.text?.slice(0, 100) ?? '';
      if (start.includes('"type":"connection"')) connections += 1;
      if (start.includes('"type":"http-request"')) exchanges += 1;
      isTruncated = !line.isComplete;
    }
    if (!isRecording) throw new Error(emptyFile);
    return { events, connections, exchanges, isTruncated };
  } finally {
    await handle.close();
  }
}

async function index(handle: FileHandle): Promise<Recording> {
  if (!(await handle.stat()).isFile()) throw new Error('The recording is no file that can be read at any position');
  const problems = new Problems();
  const sessions = new Map<string, SessionIndex>();
  let isRecording = false;
  let messages = 0;
  for await (const line of readLines(handle)) {
    if (line.number === 1) {
      assertHead(line);
      isRecording = true;
      continue;
    }
    const event = readEvent(line, problems);
    if (event?.type === 'connection') addConnection(event, sessions);
    if (event?.type !== 'message') continue;
    messages += 1;
    if (messages > maxMessages) throw new Error(`The recording has more than ${maxMessages} messages`);
    const message = readMessage(event, line, problems);
    if (message !== undefined) sessionOf(sessions, message.connection).add(message, line);
  }
  if (!isRecording) throw new Error(emptyFile);
  return {
    connections: [...sessions.values()].map((each) => each.session),
    problems: problems.list(),
    message: (at) => readAt(handle, at),
    close: () => handle.close(),
  };
}

function assertHead({ text }: FileLine): void {
  const head = text === undefined || text.length > 10_000 ? undefined : parseObject(text);
  if (head?.format !== recordingFormat) throw new Error('The file is no recording: its first line says nothing of one');
  if (head.version !== recordingVersion)
    throw new Error(
      `The recording has another version than ${recordingVersion}: replay it with the program that wrote it`,
    );
}

function readEvent(line: FileLine, problems: Problems): Record<string, unknown> | undefined {
  if (line.text === '') return undefined;
  const event = line.text === undefined ? undefined : parseObject(line.text);
  if (event !== undefined) return event;
  if (line.text === undefined) problems.add(`Line ${line.number} is too long, and was skipped`);
  else if (line.isComplete) problems.add(`Line ${line.number} is no JSON object, and was skipped`);
  else problems.add(`Line ${line.number}, the last one, is truncated, and was skipped`);
  return undefined;
}

function addConnection({ connection }: Record<string, unknown>, sessions: Map<string, SessionIndex>): void {
  if (!isObject(connection) || typeof connection.id !== 'string') return;
  const { id, label } = connection;
  if (!sessions.has(id)) sessions.set(id, new SessionIndex(id, typeof label === 'string' ? label : id));
}

function sessionOf(sessions: Map<string, SessionIndex>, id: string): SessionIndex {
  const known = sessions.get(id) ?? new SessionIndex(id, id);
  sessions.set(id, known);
  return known;
}

type ReadMessage = Pick<RecordedMessage, 'connection' | 'from' | 'kind'> & {
  readonly value: Record<string, unknown>;
};

function readMessage(
  { connection, from, kind, text, truncated }: Record<string, unknown>,
  { number }: FileLine,
  problems: Problems,
): ReadMessage | undefined {
  const isKnown =
    typeof connection === 'string' && (from === 'client' || from === 'server') && typeof text === 'string';
  if (!isKnown) {
    problems.add(`Line ${number} is no message, and was skipped`);
    return undefined;
  }
  if (kind === 'broken') return undefined;
  const value = parseObject(text);
  if (value === undefined || truncated === true) {
    problems.add(`The message in line ${number} is incomplete, and was skipped`);
    return undefined;
  }
  return { connection, from, kind: kind as RecordedMessage['kind'], value };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads synchronously: an answer must not overtake another one. */
function readAt(handle: FileHandle, { offset, length }: MessagePosition): Record<string, unknown> | undefined {
  const buffer = Buffer.allocUnsafe(length);
  const read = readSync(handle.fd, buffer, 0, length, offset);
  const event = parseObject(buffer.toString('utf8', 0, read));
  return typeof event?.text === 'string' ? parseObject(event.text) : undefined;
}

/** Assigns each message of the server to what the client sent. */
class SessionIndex {
  readonly session: RecordedSession;
  /** Requests in flight; the stack may end with some that are over. */
  readonly #open = new Set<Cue>();
  readonly #stack: Cue[] = [];
  readonly #byId = new RequestIds<Cue>();
  readonly #byToken = new RequestIds<Cue>();
  /** Cues of the questions of the server. */
  readonly #questions = new RequestIds<Cue>();
  #last: Cue | undefined;

  constructor(id: string, label: string) {
    this.session = { id, label, revision: undefined, cues: [], requests: [] };
  }

  add({ from, kind, value }: ReadMessage, { offset, length }: FileLine): void {
    const position = { offset, length };
    if (from === 'client') this.#addClient(kind, value, position);
    else this.#addServer(kind, value, position);
  }

  #addClient(kind: RecordedMessage['kind'], value: Record<string, unknown>, position: MessagePosition): void {
    const { id, method, params } = value;
    if (kind === 'result' || kind === 'error') {
      const cue = this.#questions.take(id);
      if (cue === undefined) return;
      cue.steps.push({ is: 'pause', question: id as string | number });
      this.#last = cue;
      return;
    }
    if (typeof method !== 'string') return;
    if (method === 'notifications/cancelled' && isObject(params)) this.#cancel(params.requestId);
    const isRequest = typeof id === 'string' || typeof id === 'number';
    const keys = isRequest ? matchKeys(method, params) : undefined;
    const cue: Cue = { method, position, id: isRequest ? id : undefined, keys, steps: [], end: 'none' };
    this.session.cues.push(cue);
    this.#last = cue;
    if (!isRequest) return;
    this.session.requests.push(cue);
    this.#byId.set(id, cue);
    const token = progressTokenOf(params);
    if (typeof token === 'string' || typeof token === 'number') this.#byToken.set(token, cue);
    // What a subscription delivers is caused by other requests.
    if (method === 'subscriptions/listen') return;
    this.#open.add(cue);
    this.#stack.push(cue);
  }

  #addServer(kind: RecordedMessage['kind'], value: Record<string, unknown>, position: MessagePosition): void {
    const { id, method, params, result } = value;
    if (kind === 'result' || kind === 'error') {
      const cue = this.#byId.take(id);
      if (cue === undefined) return;
      this.#open.delete(cue);
      cue.end = 'answered';
      cue.steps.push({ is: 'message', position });
      if (cue.method === 'initialize' && isObject(result) && typeof result.protocolVersion === 'string')
        this.session.revision = result.protocolVersion;
      return;
    }
    const token = method === 'notifications/progress' && isObject(params) ? params.progressToken : undefined;
    const ofToken = this.#byToken.get(token);
    const cue = ofToken !== undefined && this.#open.has(ofToken) ? ofToken : (this.#latestOpen() ?? this.#last);
    if (cue === undefined) return;
    cue.steps.push({ is: 'message', position });
    if (kind === 'request' && (typeof id === 'string' || typeof id === 'number')) this.#questions.set(id, cue);
  }

  #latestOpen(): Cue | undefined {
    for (let cue = this.#stack.at(-1); cue !== undefined; cue = this.#stack.at(-1)) {
      if (this.#open.has(cue)) return cue;
      this.#stack.pop();
    }
    return undefined;
  }

  #cancel(id: unknown): void {
    const cue = this.#byId.get(id);
    if (cue === undefined) return;
    this.#open.delete(cue);
    cue.end = 'cancelled';
  }
}

/** Problems of a file; describes the first ones. */
class Problems {
  readonly #first: string[] = [];
  #count = 0;

  add(text: string): void {
    this.#count += 1;
    if (this.#first.length < maxProblems) this.#first.push(text);
  }

  list(): string[] {
    const more = this.#count - this.#first.length;
    return more === 0 ? this.#first : [...this.#first, `There are ${more} more problems`];
  }
}
