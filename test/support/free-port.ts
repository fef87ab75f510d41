import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port below the ephemeral ports, so that no other test's connection or server takes it before it is used. The
 * port 10 000 above, for a Redis cluster bus, is free too.
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
