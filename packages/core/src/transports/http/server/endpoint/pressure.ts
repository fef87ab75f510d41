import type { Request } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';
import type { HttpResponder } from '../bindings/binding.ts';
import type { Outgoing } from '../bindings/outgoing.ts';
import type { HeapMark } from './heap-mark.ts';
import type { LongAnswers } from './long-answers.ts';

/** What fills the memory of a handler, beside the requests themselves. */
export interface Memory {
  readonly outgoing: Outgoing;
  readonly heap: HeapMark;
  readonly longAnswers: LongAnswers;
}

/** Who asks, and for what. */
interface Asking {
  readonly responder: HttpResponder;
  readonly request: Request | undefined;
  readonly batch?: readonly Request[];
}

/**
 * Says why there is no memory for another request; undefined where there is. To be asked once for each request. What
 * others don't read keeps out only whoever does not read either, and what is known to be answered at length.
 */
export function pressureOf(
  { outgoing, heap, longAnswers }: Memory,
  { responder, request, batch }: Asking,
  methods: MethodTable,
): string | undefined {
  const isLong = (): boolean =>
    (request !== undefined && longAnswers.expects(request, methods)) ||
    batch?.some((each) => longAnswers.expects(each, methods)) === true;
  if (outgoing.full && (responder.unread || isLong())) {
    return 'too many answers wait for their clients to read them';
  }
  return heap.above ? 'memory is short' : undefined;
}
