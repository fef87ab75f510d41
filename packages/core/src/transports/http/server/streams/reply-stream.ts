import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { EventLog } from './event-log.ts';
import { retryHint } from './event.ts';
import type { Stream, StreamEvent } from './streams.ts';

/** The stream of events that answers a POST. Within a session its events are logged, so that the client can resume it. */
export class ReplyStream {
  readonly #stream: Stream;
  readonly #log: EventLog | undefined;

  constructor(stream: Stream, log: EventLog | undefined) {
    this.#stream = stream;
    this.#log = log;
  }

  /** Its id in the log; undefined if it can't be resumed. */
  get id(): string | undefined {
    return this.#log?.stream;
  }

  get backpressured(): boolean {
    return this.#stream.backpressured || this.#log?.backpressured === true;
  }

  send(event: StreamEvent): void {
    if (this.#log === undefined) this.#stream.send(event);
    else this.#log.add(event, this.#stream);
  }

  /** Sends the client an id to resume from before the first message. */
  prime(retryMs: number): void {
    this.#log?.add({ retry: retryMs }, this.#stream);
  }

  /** Sends the response, if there is one, and ends the stream. */
  end(data?: string): Awaitable<void> {
    if (this.#log !== undefined) {
      this.#log.add({ ...(data !== undefined && { data }), last: true }, this.#stream);
      return this.#log.settled();
    }
    if (data !== undefined) this.#stream.send({ data, weight: 'needed' });
    this.#stream.end();
  }

  /** Closes the connection: the client resumes the stream on another one. */
  disconnect(): void {
    this.#stream.end();
  }

  /** Closes the connection once all events so far are logged. `retryMs` is the reconnect delay of the client. */
  async disconnectLater(retryMs?: number): Promise<void> {
    await this.#log?.settled();
    if (retryMs !== undefined) this.#stream.write(retryHint(retryMs));
    this.#stream.end();
  }
}
