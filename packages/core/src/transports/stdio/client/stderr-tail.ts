import { StringDecoder } from 'node:string_decoder';
import { limits } from '../../../limits.ts';

const kept = limits.clientStdio.stderr.value;

/** Takes what a server writes to stderr, hands it on as wanted, and keeps the end of it. */
export class StderrTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #wish: 'collect' | 'inherit' | 'ignore' | ((text: string) => void);
  text = '';

  constructor(wish: 'collect' | 'inherit' | 'ignore' | ((text: string) => void)) {
    this.#wish = wish;
  }

  push(chunk: Buffer): void {
    if (this.#wish === 'ignore') return;
    if (this.#wish === 'inherit') process.stderr.write(chunk);
    const text = this.#decoder.write(chunk);
    this.text = `${this.text}${text}`.slice(-kept);
    if (typeof this.#wish === 'function') this.#wish(text);
  }
}
