import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noMoreConnections, rawConnection, rawPost, statusesIn } from './fixtures/raw.ts';
import { requestWith } from './fixtures/request-with.ts';
import { start } from './fixtures/start.ts';

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const wait = (gate: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: { gate } } });

interface Busy {
  /** Resolved when its first answer is there. */
  begun: Promise<void>;
  /** How its last connection ended. */
  over: Promise<string>;
}

/** A client that sends the next request after each response, until the server closes the connection. */
function busyClient(url: string): Busy {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  const request = rawPost(url, ping);
  let received = '';
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const over = new Promise<string>((resolve) => {
    socket.on('connect', () => socket.write(request));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} after: ${received}`));
    socket.on('end', () => resolve(`the end after: ${received}`));
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (!received.endsWith('}')) return;
      begin();
      if (/^Connection: close/m.test(received)) resolve('closing');
      else socket.write(request);
      received = '';
    });
  });
  return { begun, over };
}

describe('draining a service', () => {
  it('resets no connection of a busy client: the last response has Connection: close (LD-05)', async () => {
    for (let round = 0; round < 5; round++) {
      const { url, service } = await start();
      const clients = Array.from({ length: 20 }, () => busyClient(url));
      await Promise.all(clients.map(({ begun }) => begun));
      const closing = service.close();
      expect(await Promise.all(clients.map(({ over }) => over))).toEqual(clients.map(() => 'closing'));
      await closing;
    }
  });

  it('serves connections that were established but not accepted yet', async () => {
    const { url, service } = await start();
    const { hostname, port } = new URL(url);
    const sockets = Array.from({ length: 20 }, () => connect({ host: hostname, port: Number(port) }));
    const outcomes = sockets.map(async (socket) => {
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(rawPost(url, ping));
      return statusesIn(String((await once(socket, 'data'))[0]));
    });
    await once(sockets[0] as (typeof sockets)[0], 'connect');
    const closing = service.close();
    expect(await Promise.all(outcomes)).toEqual(sockets.map(() => [200]));
    await closing;
  });

  it('sends Connection: close with the last response of a connection only', async () => {
    const { url, service, gates } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, wait('a')) + rawPost(url, wait('b')));
    await Promise.all(['a', 'b'].map(gates.reached));
    const closing = service.close({ graceMs: 60_000, lingerMs: 60_000 });
    await noMoreConnections(url);
    const arrived = requestWith('x-late');
    connection.write(rawPost(url, ping, { 'X-Late': 'yes' }));
    await arrived;
    for (const gate of ['a', 'b']) gates.open(gate);
    const received = await connection.closed();
    expect(statusesIn(received)).toEqual([200, 200, 200]);
    expect(received.match(/^Connection: .*$/gm)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
    await closing;
  });

  it('reads on after the last response without serving, so that nothing is reset', async () => {
    const { url, service, gates } = await start();
    const connection = await rawConnection(url);
    const errors: unknown[] = [];
    connection.socket.on('error', (error) => errors.push(error));
    connection.socket.allowHalfOpen = true;
    connection.write(rawPost(url, wait('a')));
    await gates.reached('a');
    const closing = service.close({ graceMs: 60_000 });
    await noMoreConnections(url);
    gates.open('a');
    await connection.until(/passed a/);
    for (let times = 0; times < 20; times++) {
      connection.write(rawPost(url, JSON.stringify({ padding: 'x'.repeat(10_000) })));
      await new Promise((resolve) => setImmediate(resolve));
    }
    connection.socket.end();
    expect(statusesIn(await connection.closed())).toEqual([200]);
    await closing;
    expect(errors).toEqual([]);
  });

  it('closes an idle connection', async () => {
    const { url, service } = await start();
    const idle = await rawConnection(url);
    idle.write(rawPost(url, ping));
    await idle.until(/result/);
    const closing = service.close({ lingerMs: 0 });
    expect(statusesIn(await idle.closed())).toEqual([200]);
    await closing;
  });
});
