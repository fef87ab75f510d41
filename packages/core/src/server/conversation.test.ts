import { describe, expect, it } from 'vitest';
import type { Message, Notification, Request } from '../jsonrpc/message.ts';
import { handshakeVersions } from '../revisions/history.ts';
import { type ConversationOptions, openConversation } from './conversation.ts';
import { tool } from './define/define.ts';
import { createServer } from './create-server.ts';

/** A conversation whose client is ready, and keeps what it hears. */
function open(options: Omit<ConversationOptions, 'send'> = {}) {
  const heard: (Notification | Request)[] = [];
  const conversation = openConversation({ send: (message) => void heard.push(message), ...options });
  conversation.exchange.session?.setInitialized();
  return { heard, ...conversation };
}

/** A server with a tool that ends only when it is told to stop, and says why. */
function waitingServer() {
  let stop: (reason: unknown) => void;
  const stopped = new Promise((resolve) => {
    stop = resolve;
  });
  const wait = tool('wait', {}, (_, { signal }) => {
    signal.addEventListener('abort', () => stop(signal.reason));
    return new Promise<string>(() => {});
  });
  const server = createServer({ name: 'test', version: '1', tools: [wait] });
  return { server, stopped };
}

const initialize: Message = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: handshakeVersions.at(-1), capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const initialized: Message = { jsonrpc: '2.0', method: 'notifications/initialized' };
const wait: Message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } };
const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

describe('a conversation', () => {
  it('sends everything the same way: what belongs to a request, what belongs to none, and questions', async () => {
    const { exchange, heard } = open();
    const note: Notification = { jsonrpc: '2.0', method: 'notifications/a' };
    const other: Notification = { jsonrpc: '2.0', method: 'notifications/b' };
    exchange.send(note);
    exchange.session?.notify(other);
    const answer = exchange.ask?.('roots/list', { x: 1 });
    expect(heard).toEqual([note, other, { jsonrpc: '2.0', id: 1, method: 'roots/list', params: { x: 1 } }]);
    exchange.settle?.({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    expect(await answer).toEqual({ roots: [] });
  });

  it('lets a question be taken back', async () => {
    const { exchange, heard } = open();
    const controller = new AbortController();
    const answer = exchange.ask?.('roots/list', undefined, controller.signal);
    controller.abort(new Error('too late'));
    await expect(answer).rejects.toThrow('too late');
    expect(heard.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
  });

  it('knows who the client is, where that was established', () => {
    expect(open({ auth: { principal: 'ann' } }).exchange.auth).toEqual({ principal: 'ann' });
    expect(open().exchange).not.toHaveProperty('auth');
  });

  it('knows at any time whether the client reads too slowly, and never says so where nobody can tell', () => {
    let slow = false;
    const { exchange } = open({ crowded: () => slow });
    expect(exchange.crowded).toBe(false);
    slow = true;
    expect(exchange.crowded).toBe(true);
    expect(open().exchange.crowded).toBe(false);
  });

  it('asks nothing more once the client can not answer; the first reason counts', async () => {
    const { exchange, heard, stopAsking, end } = open();
    const asked = exchange.ask?.('roots/list', undefined);
    stopAsking(new Error('no more input'));
    await expect(asked).rejects.toThrow('no more input');
    end(new Error('closed'));
    await expect(exchange.ask?.('roots/list', undefined)).rejects.toThrow('no more input');
    expect(heard).toHaveLength(1);
  });

  it('goes on with its calls and its session while it only stops asking', async () => {
    const { server } = waitingServer();
    const { exchange, heard, stopAsking } = open();
    for (const message of [initialize, initialized, wait]) void server.handle(message, exchange);
    stopAsking(new Error('no more input'));
    expect([...exchange.running.keys()]).toEqual([1]);
    server.tools.remove('wait');
    await Promise.resolve();
    expect(heard).toEqual([listChanged]);
  });

  it('ends with its questions, its calls and its session', async () => {
    const { server, stopped } = waitingServer();
    const gone = open();
    const still = open();
    for (const { exchange } of [gone, still]) {
      for (const message of [initialize, initialized]) void server.handle(message, exchange);
    }
    const called = server.handle(wait, gone.exchange);
    const asked = gone.exchange.ask?.('roots/list', undefined);
    gone.end(new Error('The client is gone'));
    await expect(asked).rejects.toThrow('The client is gone');
    expect(await called).toBeUndefined();
    expect(await stopped).toMatchObject({ name: 'AbortError', message: 'The client is gone' });
    expect(gone.exchange.running.size).toBe(0);
    server.tools.remove('wait');
    await Promise.resolve();
    expect(still.heard).toEqual([listChanged]);
    expect(gone.heard).toHaveLength(1);
  });
});
