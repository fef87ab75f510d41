import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordKeepAlive, writeIfAlive } from './send-node.ts';

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

/** Stops the clock until the test ends. Returns the function that advances it. */
function stopClock(): (milliseconds: number) => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => void (now += milliseconds);
}

describe('a keep-alive connection', () => {
  it('is reused until its idle timeout is nearly over, then closed', async () => {
    const socket = await connection();
    const pass = stopClock();
    recordKeepAlive({ socket, headers: { 'keep-alive': 'timeout=2' } });
    expect(await outcome(socket)).toBe('written');
    pass(999);
    expect(await outcome(socket)).toBe('written');
    pass(1);
    expect(await outcome(socket)).toBe('closed');
  });

  it('measures the idle time from its last use', async () => {
    const socket = await connection();
    const pass = stopClock();
    recordKeepAlive({ socket, headers: { 'keep-alive': 'timeout=2' } });
    pass(1050);
    recordKeepAlive({ socket, headers: {} });
    expect(await outcome(socket)).toBe('written');
  });

  it('is closed if its idle timeout is unknown', async () => {
    expect(await outcome(await connection())).toBe('closed');
  });
});
