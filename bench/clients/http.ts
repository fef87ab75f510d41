import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpMode } from '../subjects.ts';
import { checkAll, echo, handshakeVersion, initialize, initialized, type Question } from './messages.ts';

/** A response: the head, and the body without its transfer coding. */
interface Answer {
  readonly head: string;
  readonly body: string;
}

/** Servers may close a connection that was idle for longer. */
const freshMs = 2000;

/** One keep-alive connection, with one request under way at a time. */
class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  #lastUsed = 0;
  #received = '';
  #onAnswer: ((answer: Answer) => void) | undefined;
  #onError: ((error: Error) => void) | undefined;
  session: string | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Connects, or reconnects: `node:http` closes connections that were idle for five seconds. */
  async open(): Promise<void> {
    if (this.#socket?.readyState === 'open' && performance.now() - this.#lastUsed < freshMs) return;
    this.#onError = undefined;
    this.#socket?.destroy();
    this.#received = '';
    const socket = connect(this.#port, '127.0.0.1');
    await once(socket, 'connect');
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', (error) => this.#onError?.(error));
    socket.on('close', () => {
      if (this.#socket === socket) this.#onError?.(new Error('The server closed the connection'));
    });
    this.#socket = socket;
    this.#lastUsed = performance.now();
  }

  send(request: string, onAnswer: (answer: Answer) => void, onError: (error: Error) => void): void {
    this.#onAnswer = onAnswer;
    this.#onError = onError;
    this.#socket?.write(request, 'latin1');
  }

  post(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => this.send(request, resolve, reject));
  }

  close(): void {
    this.#onError = undefined;
    this.#socket?.destroy();
  }

  #take(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text;
    const answer = complete(this.#received);
    if (answer === undefined) return;
    this.#received = '';
    this.#lastUsed = performance.now();
    this.#onAnswer?.(answer);
  }
}

/** The response, if it is complete. */
function complete(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    return text.length >= end + 4 + Number(length) ? { head, body: text.slice(end + 4) } : undefined;
  }
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return { head, body: '' };
  return text.endsWith('\r\n0\r\n\r\n') ? { head, body: dechunk(text, end + 4) } : undefined;
}

function dechunk(text: string, from: number): string {
  let body = '';
  for (let at = from; ; ) {
    const line = text.indexOf('\r\n', at);
    const length = Number.parseInt(text.slice(at, line), 16);
    if (length === 0) return body;
    body += text.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}

/** The message of a response: JSON, or an event of a stream. */
function messageIn({ head, body }: Answer): string {
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`Not answered: ${head.slice(0, 100)} ${body.slice(0, 300)}`);
  if (!/\r\ncontent-type: text\/event-stream/i.test(head)) return body;
  const data = /^data: ?(\{.*\})\r?$/m.exec(body)?.[1];
  if (data === undefined) throw new Error(`No message in the stream: ${body.slice(0, 300)}`);
  return data;
}

/** All ids, and so all requests, have the same length. */
const firstId = 10_000_000;

/** The duration of a turn, and of each call in microseconds. */
export interface HttpTurn {
  readonly seconds: number;
  readonly latencies: readonly number[];
}

/** Clients of one server, each with its own connection, and in session mode its own session. */
export class HttpClients {
  readonly #connections: readonly Connection[];
  readonly #mode: HttpMode;
  readonly #host: string;
  readonly #question: Question;
  #nextId = firstId;

  private constructor(connections: readonly Connection[], mode: HttpMode, host: string) {
    this.#connections = connections;
    this.#mode = mode;
    this.#host = host;
    this.#question = echo(mode === '2026-07-28' ? '2026-07-28' : 'handshake');
  }

  /** Connects so many clients. */
  static async connect(port: number, mode: HttpMode, count: number): Promise<HttpClients> {
    const connections = Array.from({ length: count }, () => new Connection(port));
    await Promise.all(connections.map((connection) => connection.open()));
    const clients = new HttpClients(connections, mode, `127.0.0.1:${port}`);
    if (mode === 'session') await Promise.all(connections.map((connection) => clients.#begin(connection)));
    return clients;
  }

  /** Requests for a load generator: one for each session, all with the first id. */
  get requests(): string[] {
    const sessions = this.#mode === 'session' ? this.#connections.map(({ session }) => session) : [undefined];
    return sessions.map((session) => this.#frame(this.#question.request(firstId), session));
  }

  /** Opens more sessions, with some calls in each, which stay idle then. */
  async openSessions(count: number, callsEach = 0): Promise<void> {
    let left = count;
    const used = this.#connections.map(({ session }) => session);
    const work = this.#connections.map(async (connection) => {
      await connection.open();
      while (left-- > 0) {
        await this.#begin(connection);
        for (let id = firstId; id < firstId + callsEach; id++) {
          messageIn(await connection.post(this.#frame(this.#question.request(id), connection.session)));
        }
      }
    });
    await Promise.all(work);
    for (const [index, connection] of this.#connections.entries()) connection.session = used[index];
  }

  async #begin(connection: Connection): Promise<void> {
    connection.session = undefined;
    const answer = await connection.post(this.#frame(initialize, undefined));
    messageIn(answer);
    connection.session = /\r\nmcp-session-id: ?([^\r]+)/i.exec(answer.head)?.[1];
    if (connection.session === undefined) throw new Error('The server gave no session');
    const { head } = await connection.post(this.#frame(initialized, connection.session));
    if (!/^HTTP\/1.1 20[24]/.test(head)) throw new Error(`The session did not begin: ${head.slice(0, 100)}`);
  }

  /** Calls `echo`, or asks something else, on all connections at once. */
  async ask(count: number, question: Question = this.#question): Promise<HttpTurn> {
    const first = this.#nextId;
    this.#nextId += count;
    const answers: Answer[] = [];
    const latencies: number[] = [];
    let next = first;
    const last = first + count;
    await Promise.all(this.#connections.map((connection) => connection.open()));
    const started = performance.now();
    await new Promise<void>((resolve, reject) => {
      const turn = (connection: Connection): void => {
        if (next === last) return;
        const asked = performance.now();
        connection.send(
          this.#frame(question.request(next++), connection.session, question),
          (answer) => {
            latencies.push((performance.now() - asked) * 1000);
            answers.push(answer);
            if (answers.length === count) resolve();
            else turn(connection);
          },
          reject,
        );
      };
      for (const connection of this.#connections) turn(connection);
    });
    const seconds = (performance.now() - started) / 1000;
    checkAll(question, answers.map(messageIn), { first, count });
    return { seconds, latencies };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #frame(
    body: string,
    session: string | undefined,
    { method = 'tools/call', name = 'echo' }: Partial<Question> = this.#question,
  ): string {
    const version = this.#mode === '2026-07-28' ? '2026-07-28' : handshakeVersion;
    const nameLine = method === 'tools/call' ? `Mcp-Name: ${name}\r\n` : '';
    const era = this.#mode === '2026-07-28' ? `Mcp-Method: ${method}\r\n${nameLine}` : '';
    const sessionLine = session === undefined ? '' : `Mcp-Session-Id: ${session}\r\n`;
    return (
      `POST /mcp HTTP/1.1\r\nHost: ${this.#host}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: ${version}\r\n${era}${sessionLine}` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  }
}

/** Sends a request at a steady pace over four connections. Latencies count from when a request was due, in microseconds. */
export async function sendPaced(
  port: number,
  request: string,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<{ latencies: number[]; served: number }> {
  const idle = Array.from({ length: 4 }, () => new Connection(port));
  const all = [...idle];
  await Promise.all(all.map((connection) => connection.open()));
  const latencies: number[] = [];
  const due: number[] = [];
  let served = 0;
  const sendNext = (): void => {
    if (due.length === 0) return;
    const connection = idle.pop();
    if (connection === undefined) return;
    const at = due.shift() as number;
    const onAnswer = ({ head }: Answer): void => {
      latencies.push((performance.now() - at) * 1000);
      if (head.startsWith('HTTP/1.1 200')) served += 1;
      idle.push(connection);
      sendNext();
    };
    connection.send(request, onAnswer, () => {});
  };
  const began = performance.now();
  for (let sent = 0; sent < seconds * perSecond; sent++) {
    const at = began + (sent * 1000) / perSecond;
    await wait(Math.max(0, at - performance.now()));
    due.push(Math.max(at, performance.now() - 1));
    sendNext();
  }
  await wait(500);
  for (const connection of all) connection.close();
  return { latencies, served };
}
