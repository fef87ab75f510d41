import type { Message } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';

/** True for a message that a server must not get twice: what else is asked for or told again does no harm. */
export function actsEachTime(message: Message, methods: MethodTable): boolean {
  return 'method' in message && methods.of(message.method).repeatable !== true;
}
