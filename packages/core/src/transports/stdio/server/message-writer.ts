import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import { encode, type Notification, type Request } from '../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../protocol/methods.ts';
import { encodeResponses, type Responses } from '../../../server/receive.ts';
import type { Engine } from '../../../server/engine.ts';
import type { WriteBuffer } from './write-buffer.ts';

/** Where messages go, and what is known of them. */
export interface MessageWriterOptions {
  server: Engine;
  writeBuffer: Pick<WriteBuffer, 'backpressured' | 'add' | 'addOnce'>;
  framing: Pick<Framing, 'frame'>;
  methods: MethodTable;
  /** Gives what must follow an answer. */
  followUp: (reply: Responses) => Notification | undefined;
  /** Told of each answer that waits to be written. */
  answered: (reply: Responses) => void;
}

/** Puts what the server says into the outbox. */
export interface MessageWriter {
  answer(reply: Responses): void;
  /** Takes what the server says of its own accord. A client that is behind is spared what it can miss. */
  send(message: Notification | Request): void;
  /** From here on nothing is said any more. */
  stop(): void;
}

/** Makes the way from messages to frames in the outbox. */
export function createMessageWriter(options: MessageWriterOptions): MessageWriter {
  const { server, writeBuffer, framing, methods, followUp, answered } = options;
  let stopped = false;

  function answer(reply: Responses): void {
    if (reply === undefined || stopped) return;
    writeBuffer.add(framing.frame(encodeResponses(server, reply)));
    const more = followUp(reply);
    if (more !== undefined) send(more);
    answered(reply);
  }

  function send(message: Notification | Request): void {
    if (stopped) return;
    if ('id' in message) writeBuffer.add(framing.frame(encode(message)));
    else if (!writeBuffer.backpressured || methods.of(message.method).droppable !== true) {
      writeBuffer.addOnce(framing.frame(encode(message)));
    }
  }

  function stop(): void {
    stopped = true;
  }

  return { answer, send, stop };
}
