import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port on which nobody listens. It is below those that the system gives to whoever asks for any, so that no connection or
 * server of another test takes it before it is used. The port 10 000 above, where a Redis cluster has its bus, is so, too.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 22_000);
  const holder = createServer().listen(port, '127.0.0.1');
  try {
    await once(holder, 'listening');
  } catch {
    return freePort();
  }
  holder.close();
  await once(holder, 'close');
  return port;
}
