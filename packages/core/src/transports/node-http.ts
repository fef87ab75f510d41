import type * as http from 'node:http';
import { builtIn } from '../runtime/kind.ts';

/**
 * Loads `node:http`. From Node 22 on, `import` would evaluate all of its exports, including WebSockets and `fetch`: 30
 * ms of every start.
 */
export async function nodeHttp(): Promise<typeof http> {
  return builtIn('node:http') ?? import('node:http');
}
