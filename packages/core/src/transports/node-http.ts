import type * as http from 'node:http';
import { builtIn } from '../runtime/kind.ts';

/**
 * Node's HTTP. From Node 22 on, `import` would look at all that it exports, and so load web sockets and `fetch` with it:
 * 30 ms of every start.
 */
export async function nodeHttp(): Promise<typeof http> {
  return builtIn('node:http') ?? import('node:http');
}
