import { describe, expect, it } from 'vitest';
import type { Message, Notification, Request } from '../jsonrpc/message.ts';
import { handshakeVersions } from '../revisions/history.ts';
import { type ClientConnectionOptions, openClientConnection } from './client-connection.ts';
import { tool } from './define/define.ts';
import { createServer } from '../create-server.ts';
import { provideServing } from '../features/load-serving.ts';
import { serving } from '../features/serving.ts';

// Loads the serving modules, so that calls run immediately.
provideServing(serving);

/** A connection of a ready client, which records messages. */
function open(options: Omit<ClientConnectionOptions, 'send'> = {}) {
  const received: (Notification | Request)[] = [];
  const conversation = openClientConnection({ send: (message) => void received.push(message), ...options });
  conversation.peer.session?.setInitialized();
  return { received, ...conversation };
}

/** A server with a tool that runs until it is aborted, and returns the reason. */
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
  it('sends notifications of requests, other notifications and questions in one order', async () => {
    const { peer, received } = open();
    const note: Notification = { jsonrpc: '2.0', method: 'notifications/a' };
    const other: Notification = { jsonrpc: '2.0', method: 'notifications/b' };
    peer.send(note);
    peer.session?.notify(other);
    const answer = peer.ask?.('roots/list', { x: 1 });
    expect(received).toEqual([note, other, { jsonrpc: '2.0', id: 1, method: 'roots/list', params: { x: 1 } }]);
    peer.settle?.({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    expect(await answer).toEqual({ roots: [] });
  });

  it('cancels a question', async () => {
    const { peer, received } = open();
    const controller = new AbortController();
    const answer = peer.ask?.('roots/list', undefined, controller.signal);
    controller.abort(new Error('too late'));
    await expect(answer).rejects.toThrow('too late');
    expect(received.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
  });

  it('has the authenticated caller', () => {
    expect(open({ auth: { principal: 'ann' } }).peer.auth).toEqual({ principal: 'ann' });
    expect(open().peer).not.toHaveProperty('auth');
  });

  it("reports backpressure at any time, and none if the transport can't", () => {
    let slow = false;
    const { peer } = open({ backpressured: () => slow });
    expect(peer.backpressured).toBe(false);
    slow = true;
    expect(peer.backpressured).toBe(true);
    expect(open().peer.backpressured).toBe(false);
  });

  it('rejects questions after stopAsking; the first reason counts', async () => {
    const { peer, received, stopAsking, end } = open();
    const asked = peer.ask?.('roots/list', undefined);
    stopAsking(new Error('no more input'));
    await expect(asked).rejects.toThrow('no more input');
    end(new Error('closed'));
    await expect(peer.ask?.('roots/list', undefined)).rejects.toThrow('no more input');
    expect(received).toHaveLength(1);
  });

  it('keeps its calls and its session after stopAsking', async () => {
    const { server } = waitingServer();
    const { peer, received, stopAsking } = open();
    for (const message of [initialize, initialized, wait]) void server.handle(message, peer);
    stopAsking(new Error('no more input'));
    expect([...peer.running.keys()]).toEqual([1]);
    server.tools.remove('wait');
    await Promise.resolve();
    expect(received).toEqual([listChanged]);
  });

  it('ends with its questions, its calls and its session', async () => {
    const { server, stopped } = waitingServer();
    const gone = open();
    const still = open();
    for (const { peer } of [gone, still]) {
      for (const message of [initialize, initialized]) void server.handle(message, peer);
    }
    const called = server.handle(wait, gone.peer);
    const asked = gone.peer.ask?.('roots/list', undefined);
    gone.end(new Error('The client disconnected'));
    await expect(asked).rejects.toThrow('The client disconnected');
    expect(await called).toBeUndefined();
    expect(await stopped).toMatchObject({ name: 'AbortError', message: 'The client disconnected' });
    expect(gone.peer.running.size).toBe(0);
    server.tools.remove('wait');
    await Promise.resolve();
    expect(still.received).toEqual([listChanged]);
    expect(gone.received).toHaveLength(1);
  });
});
