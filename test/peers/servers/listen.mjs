// @ts-nocheck -- what this imports is installed only when these tests run
import { createServer } from 'node:http';

/** Serves on a free loopback port, and prints the URL. */
export function listen(handler) {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
