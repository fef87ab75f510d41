import { fstatSync } from 'node:fs';
import { ErrorCode, ProtocolError, type ResourceContents } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import type { Context } from '../context.ts';
import { contentsPart } from '../describe/result.ts';
import { Failure } from '../../command/failure.ts';
import { fetchLists } from '../describe/server-lists.ts';
import { didYouMean } from '../../command/suggest.ts';
import { host } from '../../host.ts';

/**
 * Reads a resource. Binary contents are written raw, unless stdout is a terminal; files get the exact content. In the shell,
 * every output ends its last line, because more output follows.
 */
export async function run(
  { client, output, options, signal, inShell }: Context,
  words: readonly string[],
): Promise<void> {
  const [uri, more] = words;
  if (uri === undefined) throw new Failure('usage', 'The address of a resource is missing');
  if (more !== undefined) throw new Failure('usage', `Unexpected argument: ${more}`);
  const result = await client.readResource(uri, { signal }).catch((error: unknown) => explain(client, uri, error));
  const { contents } = result;
  const [only] = contents;
  const saved =
    options.out === undefined
      ? undefined
      : (await import('../describe/save-files.ts')).saveContents(contents, options.out);
  const isAlone = saved === undefined && !options.json && !inShell && contents.length === 1;
  if (isAlone && only !== undefined && isWrittenRaw(only)) {
    output.bytes(isBytes(only) ? Buffer.from(only.blob, 'base64') : Buffer.from(only.text));
  } else {
    await output.parts(result, () => contents.map((each) => contentsPart(each, saved)));
  }
}

function isWrittenRaw(contents: ResourceContents): boolean {
  return isBytes(contents) ? !host.stdout.isTTY : fstatSync(host.stdout.fd).isFile();
}

function isBytes(contents: ResourceContents): contents is ResourceContents & { blob: string } {
  return 'blob' in contents;
}

/** The two error codes of servers for an unknown resource. */
const absent = new Set<number>([ErrorCode.InvalidParams, ErrorCode.ResourceNotFound]);

async function explain(client: Client, uri: string, error: unknown): Promise<never> {
  if (!(error instanceof ProtocolError) || !absent.has(error.code)) throw error;
  const { resources = [] } = await fetchLists(client, ['resources']);
  const uris = resources.map((resource) => resource.uri);
  if (uris.includes(uri)) throw error;
  const hint = `The server says: ${error.message}`;
  throw new Failure('unknown-name', `The server has no resource "${uri}".${didYouMean(uri, uris)}`, { hint });
}
