import type { Request } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';

/** So many are remembered; of more, those are forgotten that were noted longest ago. */
const maxNoted = 1000;

/** Remembers what was answered at length: where there is no room for such an answer, it need not be made. */
export class LongAnswers {
  readonly #noted = new Set<string>();

  note(request: Request, methods: MethodTable): void {
    this.#noted.add(subjectOf(request, methods));
    if (this.#noted.size > maxNoted) this.#noted.delete(this.#noted.values().next().value as string);
  }

  /** True for a request like one that was answered at length. */
  expects(request: Request, methods: MethodTable): boolean {
    return this.#noted.has(subjectOf(request, methods));
  }
}

/** What a request is about: its method, and the tool or resource that it names. */
function subjectOf({ method, params }: Request, methods: MethodTable): string {
  const { mirrors } = methods.of(method);
  const name = mirrors === undefined ? undefined : params?.[mirrors];
  return typeof name === 'string' ? `${method} ${name.slice(0, 200)}` : method;
}
