import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordKeepAlive, writeIfAlive } from './keep-alive.ts';

async function connection(): Promise<Socket> {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  return socket;
}

/** Whether something is written to a connection, or it is closed. */
function outcome(socket: Socket): Promise<'written' | 'closed'> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve('closed'));
    writeIfAlive(socket, () => resolve('written'));
  });
}

describe('a connection that was kept open', () => {
  it('is used as long as its server surely keeps it, and closed then', async () => {
    const socket = await connection();
    recordKeepAlive({ socket, headers: { 'keep-alive': 'timeout=2' } });
    expect(await outcome(socket)).toBe('written');
    await passed(50);
    expect(await outcome(socket)).toBe('written');
    await passed(1000);
    expect(await outcome(socket)).toBe('closed');
  });

  it('counts from when it was used last', async () => {
    const socket = await connection();
    recordKeepAlive({ socket, headers: { 'keep-alive': 'timeout=2' } });
    await passed(1050);
    recordKeepAlive({ socket, headers: {} });
    expect(await outcome(socket)).toBe('written');
  });

  it('is closed where nothing is known of it', async () => {
    expect(await outcome(await connection())).toBe('closed');
  });
});
