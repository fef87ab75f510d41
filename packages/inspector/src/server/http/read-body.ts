import type { IncomingMessage } from 'node:http';
import { limits } from '@ccmcp/core';
import { RequestError } from '../targets.ts';

const maxBodyBytes = limits.inspector.body.value;
const maxDepth = limits.inspector.bodyDepth.value;

/** Reads the JSON that the page sent. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new RequestError('The body must be application/json', undefined, 415);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new RequestError(`The body is longer than ${maxBodyBytes} bytes`, undefined, 413);
    chunks.push(chunk);
  }
  const value = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (isDeeperThan(value, maxDepth)) throw new RequestError(`The body is nested deeper than ${maxDepth} levels`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RequestError('The body is not JSON');
  }
}

/** Checks whether a JSON value has more levels; serializing such a value would overflow the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
