import type { Params } from '../../../jsonrpc/message.ts';

type Send = (method: string, params: Params) => void;

interface ToolNotification {
  method: string;
  params: Params;
}

/**
 * What a view is told of the call that it shows: nothing before it is ready, parts of the input only before the whole, the input once,
 * then how the call ended. A view that begins anew is told again.
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

  /** Parts of the input, as far as the model has written it. Late ones are left out. */
  partial(args: Params): void {
    if (this.#input !== undefined) return;
    this.#partial = { method: 'ui/notifications/tool-input-partial', params: { arguments: args } };
    this.#notify(this.#partial);
  }

  input(args: Params): void {
    if (this.#input !== undefined) throw new TypeError('A view gets the input of its tool once, and has got it');
    this.#input = { method: 'ui/notifications/tool-input', params: { arguments: args } };
    this.#notify(this.#input);
  }

  result(result: Params): void {
    this.#finish({ method: 'ui/notifications/tool-result', params: result });
  }

  cancelled(reason: string | undefined): void {
    this.#finish({ method: 'ui/notifications/tool-cancelled', params: reason === undefined ? {} : { reason } });
  }

  /** The view has said that it listens. */
  onReady(): void {
    this.#isReady = true;
    const waiting = this.#input === undefined ? [this.#partial] : [this.#input, this.#end];
    for (const notification of waiting) if (notification !== undefined) this.#notify(notification);
  }

  /** The view has begun anew, and listens no more until it says so. */
  restart(): void {
    this.#isReady = false;
  }

  #finish(end: ToolNotification): void {
    if (this.#input === undefined) throw new TypeError('A view gets the input of its tool before the result');
    if (this.#end !== undefined) throw new TypeError('A view is told once how its call ended, and was told');
    this.#end = end;
    this.#notify(end);
  }

  #notify({ method, params }: ToolNotification): void {
    if (this.#isReady) this.#send(method, params);
  }
}
