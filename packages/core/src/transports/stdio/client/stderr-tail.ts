import { limits } from '../../../limits.ts';
import { writeToStderr } from '../../../server/stderr.ts';

const kept = limits.clientStdio.stderr.value;
/** What the servers say may wait so long on the stderr of this side, which it shares; more is dropped. */
const maxUnread = limits.server.unreadLog.value;

/** Takes what a server writes to stderr, hands it on as wanted, and keeps the end of it. */
export class StderrTail {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #wish: 'collect' | 'inherit' | 'ignore' | ((text: string) => void);
  text = '';

  constructor(wish: 'collect' | 'inherit' | 'ignore' | ((text: string) => void)) {
    this.#wish = wish;
  }

  push(chunk: Buffer): void {
    if (this.#wish === 'ignore') return;
    if (this.#wish === 'inherit') writeToStderr(chunk, { maxUnread });
    const text = this.#decoder.decode(chunk, { stream: true });
    this.text = `${this.text}${text}`.slice(-kept);
    if (typeof this.#wish === 'function') this.#wish(text);
  }
}
