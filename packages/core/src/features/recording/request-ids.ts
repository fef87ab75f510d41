import type { RequestId } from '../../jsonrpc/message.ts';

/** Maximum requests in flight that are remembered, of one side. */
const maxOpen = 10_000;

/** Values by request id: `1` is not `"1"`. Forgets the oldest beyond a limit. */
export class RequestIds<Value> {
  readonly #values = new Map<string, Value>();

  get(id: unknown): Value | undefined {
    return isId(id) ? this.#values.get(keyOf(id)) : undefined;
  }

  set(id: RequestId, value: Value): void {
    this.#values.set(keyOf(id), value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > maxOpen && oldest !== undefined) this.#values.delete(oldest);
  }

  take(id: unknown): Value | undefined {
    const value = this.get(id);
    if (isId(id)) this.#values.delete(keyOf(id));
    return value;
  }
}

function keyOf(id: RequestId): string {
  return `${typeof id} ${id}`;
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
