import { Buffer } from 'node:buffer';
import type { Child } from '../child.ts';
import { checkAll, initialize, initialized, type Question } from './messages.ts';

const LF = 10;

/** The duration of a turn. */
export interface Turn {
  readonly seconds: number;
  /** Of sequential calls, in microseconds. */
  readonly latencies: readonly number[];
}

/** Writes bytes and counts lines, to cost little itself. Responses are checked afterwards. */
export class StdioClient {
  readonly #child: Child;
  #nextId = 1;

  constructor(child: Child) {
    this.#child = child;
  }

  /** Runs the handshake. */
  async initialize(): Promise<void> {
    await this.#exchange([Buffer.from(`${initialize}\n`)], 1);
    this.#child.stdin.write(`${initialized}\n`);
  }

  /** Sends the handshake and a request back to back. */
  async initializeAndAsk(question: Question): Promise<void> {
    const id = this.#nextId++;
    const asked = Buffer.from(`${initialized}\n${question.request(id)}\n`);
    const { answers } = await this.#exchange([Buffer.from(`${initialize}\n`), asked], 2);
    const lines = Buffer.concat(answers).toString().trimEnd().split('\n');
    const own = lines.filter((line) => !line.includes('"id":"initialize"'));
    checkAll(question, own, { first: id, count: 1 });
  }

  /** Sends requests, with so many in flight. */
  async ask(question: Question, count: number, inFlight: number): Promise<Turn> {
    const first = this.#nextId;
    this.#nextId += count;
    const requests = Array.from({ length: count }, (_, index) => Buffer.from(`${question.request(first + index)}\n`));
    const { answers, ...turn } = await this.#exchange(requests, inFlight);
    const lines = Buffer.concat(answers).toString().trimEnd().split('\n');
    checkAll(question, lines, { first, count });
    return turn;
  }

  #exchange(requests: readonly Buffer[], inFlight: number): Promise<Turn & { answers: Buffer[] }> {
    const { stdin, stdout, process } = this.#child;
    const all = Buffer.concat(requests);
    const ends = endsOf(requests);
    const answers: Buffer[] = [];
    const latencies: number[] = [];
    let sent = 0;
    let answered = 0;
    let asked = 0;

    return new Promise((resolve, reject) => {
      const send = (count: number): void => {
        const from = ends[sent] as number;
        sent = Math.min(sent + count, requests.length);
        asked = performance.now();
        stdin.write(all.subarray(from, ends[sent]));
      };
      const onData = (chunk: Buffer): void => {
        answers.push(chunk);
        const lines = countLines(chunk);
        if (lines === 0) return;
        if (inFlight === 1) latencies.push((performance.now() - asked) * 1000);
        answered += lines;
        if (answered < requests.length) {
          if (sent < requests.length) send(lines);
          return;
        }
        const seconds = (performance.now() - started) / 1000;
        stdout.off('data', onData);
        process.off('exit', onExit);
        resolve({ seconds, latencies, answers });
      };
      const onExit = (): void => reject(new Error('The server ended before it had answered'));
      stdout.on('data', onData);
      process.once('exit', onExit);
      const started = performance.now();
      send(inFlight);
    });
  }
}

/** Where each request begins in the joined bytes, and where the last one ends. */
function endsOf(requests: readonly Buffer[]): number[] {
  const ends = [0];
  for (const { length } of requests) ends.push((ends.at(-1) as number) + length);
  return ends;
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) count++;
  return count;
}
