import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import { encode, type Notification, type Request } from '../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../protocol/methods.ts';
import { encodeResponses, type Responses } from '../../../server/call/encode-responses.ts';
import type { Engine } from '../../../server/engine.ts';
import type { WriteBuffer } from './write-buffer.ts';

/** Options of a message writer. */
export interface MessageWriterOptions {
  server: Engine;
  writeBuffer: Pick<WriteBuffer, 'backpressured' | 'add' | 'addOnce'>;
  framing: Pick<Framing, 'frame'>;
  methods: MethodTable;
  /** Returns the message that must follow an answer. */
  followUp: (reply: Responses) => Notification | undefined;
  /** Called for each answer that was queued. */
  answered: (reply: Responses) => void;
}

/** Encodes messages into the write buffer. */
export interface MessageWriter {
  answer(reply: Responses): void;
  /** Sends a message of the server. Droppable notifications are skipped under backpressure. */
  send(message: Notification | Request): void;
  /** Nothing is sent from now on. */
  stop(): void;
}

/** Creates the writer of a connection. */
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
