import type { IncomingMessage } from 'node:http';
import { limits } from '@ccmcp/core';
import { RequestError } from '../targets.ts';

const maxBodyBytes = limits.inspector.body.value;

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
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new RequestError('The body is no JSON');
  }
}
