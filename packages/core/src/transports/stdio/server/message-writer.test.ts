import { describe, expect, it } from 'vitest';
import { createServer } from '../../../index.ts';
import { newlineFraming } from '../../../jsonrpc/framing/newline.ts';
import type { Notification, Request } from '../../../jsonrpc/message.ts';
import { MethodTable } from '../../../protocol/methods.ts';
import { slowStream } from '../fixtures/slow-stream.ts';
import { createWriteBuffer } from './write-buffer.ts';
import { createMessageWriter, type MessageWriterOptions } from './message-writer.ts';
import { engineOf } from '../../../server/server-handle.ts';

const logger = { level: 'emergency', write: () => {} } as const;
const server = createServer({ name: 'test', version: '1', logger });
const crowd = 'x'.repeat(1024 * 1024 + 1);

function open({ methods = new MethodTable(), followUp = () => undefined }: Partial<MessageWriterOptions> = {}) {
  const { stream, writes, read } = slowStream();
  const outbox = createWriteBuffer({ stream, write: (text, done) => stream.write(text, done), onWritten: () => {} });
  const outgoing = createMessageWriter({
    server: engineOf(server),
    writeBuffer: outbox,
    framing: newlineFraming(1000),
    methods,
    followUp,
    answered: () => {},
  });
  /** The messages that the client gets, without the filler. */
  async function received(): Promise<Record<string, unknown>[]> {
    outbox.flush();
    while (!outbox.empty) await read();
    const lines = writes.join('').replace(crowd, '').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  return { outgoing, received, crowd: () => outbox.add(crowd) };
}

const notification = (method: string, data = 0): Notification => ({ jsonrpc: '2.0', method, params: { data } });
const response = { jsonrpc: '2.0', id: 1, result: {} } as const;
const encoded = { id: 1, json: JSON.stringify(response) };

describe('messages of a server', () => {
  it('are framed, and sent in order', async () => {
    const { outgoing, received } = open();
    const question: Request = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
    outgoing.send(notification('notifications/message'));
    outgoing.send(notification('notifications/message'));
    outgoing.send(question);
    outgoing.answer(undefined);
    outgoing.answer(response);
    outgoing.answer([encoded, encoded]);
    expect(await received()).toEqual([
      notification('notifications/message'),
      notification('notifications/message'),
      question,
      response,
      [response, response],
    ]);
  });

  it.each(['notifications/progress', 'notifications/message'])(
    'leaves no backlog of %s for a client that is behind (SF-19)',
    async (method) => {
      const { outgoing, received, crowd } = open();
      outgoing.send(notification(method, 0));
      crowd();
      for (let data = 1; data <= 1000; data++) outgoing.send(notification(method, data));
      expect(await received()).toEqual([notification(method, 0)]);
    },
  );

  it('reach a client again when backpressure has ended', async () => {
    const { outgoing, received, crowd } = open();
    crowd();
    outgoing.send(notification('notifications/progress', 1));
    await received();
    outgoing.send(notification('notifications/progress', 2));
    expect(await received()).toEqual([notification('notifications/progress', 2)]);
  });

  it('may be dropped for droppable notifications of an extension only', async () => {
    const methods = new MethodTable({ 'notifications/x': { droppable: true }, 'x/ask': { droppable: true } });
    const { outgoing, received, crowd } = open({ methods });
    const question: Request = { jsonrpc: '2.0', id: 1, method: 'x/ask' };
    crowd();
    outgoing.send(notification('notifications/x'));
    outgoing.send(notification('notifications/progress'));
    outgoing.send(notification('notifications/y'));
    outgoing.send(question);
    expect(await received()).toEqual([notification('notifications/y'), question]);
  });

  it('are deduplicated under backpressure, except questions and answers', async () => {
    const { outgoing, received, crowd } = open();
    const question: Request = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
    crowd();
    for (let i = 0; i < 2; i++) {
      outgoing.send(notification('notifications/tools/list_changed'));
      outgoing.send(question);
      outgoing.answer(response);
    }
    const first = [notification('notifications/tools/list_changed'), question, response];
    expect(await received()).toEqual([...first, question, response]);
  });

  it('include the follow-up of an answer', async () => {
    const { outgoing, received } = open({
      followUp: (reply) => (reply === response ? notification('notifications/cancelled') : undefined),
    });
    outgoing.answer({ ...response, id: 2 });
    outgoing.answer(response);
    expect(await received()).toEqual([{ ...response, id: 2 }, response, notification('notifications/cancelled')]);
  });

  it('become an internal error when a result can not be serialized', async () => {
    const { outgoing, received } = open();
    outgoing.answer({ jsonrpc: '2.0', id: 1, result: { big: 1n } });
    expect(await received()).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  });

  it('are dropped once the writer is stopped', async () => {
    const { outgoing, received } = open({
      followUp: () => {
        throw new Error('Nothing follows what is not said');
      },
    });
    outgoing.stop();
    outgoing.answer(response);
    outgoing.send(notification('notifications/tools/list_changed'));
    outgoing.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    expect(await received()).toEqual([]);
  });
});
