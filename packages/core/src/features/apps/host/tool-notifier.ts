import type { Params } from '../../../jsonrpc/message.ts';

type Send = (method: string, params: Params) => void;

interface ToolNotification {
  method: string;
  params: Params;
}

/**
 * Notifies a view of its tool call: nothing before it is ready, partial input only before the complete one, the input
 * once, then the outcome. A view that reloads gets it again.
 */
export class ToolNotifier {
  readonly #send: Send;
  #isReady = false;
  #partial: ToolNotification | undefined;
  #input: ToolNotification | undefined;
  #end: ToolNotification | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Partial input. Late ones are dropped. */
  partial(args: Params): void {
    if (this.#input !== undefined) return;
    this.#partial = { method: 'ui/notifications/tool-input-partial', params: { arguments: args } };
    this.#notify(this.#partial);
  }

  input(args: Params): void {
    if (this.#input !== undefined) throw new TypeError('The tool input was already sent to the view');
    this.#input = { method: 'ui/notifications/tool-input', params: { arguments: args } };
    this.#notify(this.#input);
  }

  result(result: Params): void {
    this.#finish({ method: 'ui/notifications/tool-result', params: result });
  }

  cancelled(reason: string | undefined): void {
    this.#finish({ method: 'ui/notifications/tool-cancelled', params: reason === undefined ? {} : { reason } });
  }

  /** The view is initialized. */
  onReady(): void {
    this.#isReady = true;
    const waiting = this.#input === undefined ? [this.#partial] : [this.#input, this.#end];
    for (const notification of waiting) if (notification !== undefined) this.#notify(notification);
  }

  /** The view reloads, and is not ready until it says so. */
  restart(): void {
    this.#isReady = false;
  }

  #finish(end: ToolNotification): void {
    if (this.#input === undefined) throw new TypeError('The tool input must be sent to the view before the result');
    if (this.#end !== undefined) throw new TypeError('The outcome of the call was already sent to the view');
    this.#end = end;
    this.#notify(end);
  }

  #notify({ method, params }: ToolNotification): void {
    if (this.#isReady) this.#send(method, params);
  }
}
