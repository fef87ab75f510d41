import type { IncomingMessage } from 'node:http';
import { limits } from '@ccmcp/core';
import { Refusal } from '../targets.ts';

const longest = limits.inspector.body.value;
const deepest = limits.inspector.bodyDepth.value;

/** Reads the JSON that the page sent. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('The body must be application/json', undefined, 415);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longest) throw new Refusal(`The body is longer than ${longest} bytes`, undefined, 413);
    chunks.push(chunk);
  }
  const value = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (isDeeper(value, deepest)) throw new Refusal(`The body is nested deeper than ${deepest} levels`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('The body is not JSON');
  }
}

/** True where a JSON value has more levels: writing it again would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
