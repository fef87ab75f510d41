import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { type Client, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { toFailure } from '../connection/to-failure.ts';
import { Failure } from '../../command/failure.ts';
import { didYouMean } from '../../command/suggest.ts';

/** The lists that a server may have. */
export const listNames = ['tools', 'resources', 'templates', 'prompts'] as const;

export type ListName = (typeof listNames)[number];

type Rows<Lister extends 'listTools' | 'listResources' | 'listResourceTemplates' | 'listPrompts'> = Awaited<
  ReturnType<ReturnType<Client[Lister]>['all']>
>;

/** The lists of a server. Unsupported and failed lists are absent. */
export interface ServerLists {
  tools?: Rows<'listTools'>;
  resources?: Rows<'listResources'>;
  templates?: Rows<'listResourceTemplates'>;
  prompts?: Rows<'listPrompts'>;
  /** The errors of lists that failed. */
  failed: Partial<Record<ListName, Error>>;
}

/** Fetches the given lists that the server supports. A failed list does not hide the others. */
export async function fetchLists(client: Client, wanted: readonly ListName[] = listNames): Promise<ServerLists> {
  const { capabilities } = client;
  const failed: ServerLists['failed'] = {};
  const fetch = async <T>(name: ListName, isThere: unknown, get: () => Promise<T>): Promise<T | undefined> => {
    if (!wanted.includes(name) || isThere === undefined) return undefined;
    try {
      return await get();
    } catch (error) {
      // Without a connection the other lists fail too.
      if (!isListError(error)) throw error;
      failed[name] = error;
      return undefined;
    }
  };
  // Concurrent: a silent server costs one timeout, not four.
  const [tools, resources, templates, prompts] = await Promise.all([
    fetch('tools', capabilities.tools, () => client.listTools().all()),
    fetch('resources', capabilities.resources, () => client.listResources().all()),
    fetch('templates', capabilities.resources, () => templatesOf(client)),
    fetch('prompts', capabilities.prompts, () => client.listPrompts().all()),
  ]);
  return {
    ...(tools && { tools }),
    ...(resources && { resources }),
    ...(templates && { templates }),
    ...(prompts && { prompts }),
    failed,
  };
}

/** Explains why a list failed, in a sentence. */
export function listError(error: Error): string {
  return toFailure(error).message;
}

function isListError(error: unknown): error is Error {
  if (error instanceof HttpError) return ![401, 403, 502, 503, 504].includes(error.status);
  return error instanceof ProtocolError || error instanceof ResultError || error instanceof TimeoutError;
}

/** Servers with resources need not support templates, and some reject the request. */
async function templatesOf(client: Client): Promise<Rows<'listResourceTemplates'>> {
  try {
    return await client.listResourceTemplates().all();
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return [];
    throw error;
  }
}

/** The maximum number of names in a hint. */
const maxNames = 50;

/** The failure for an unknown name of a `kind`, such as a tool. `names`: the known ones. */
export function unknownName(kind: string, name: string, names: readonly string[]): Failure {
  const message = `The server has no ${kind} "${name}".${didYouMean(name, names)}`;
  return new Failure('unknown-name', message, { hint: listNamesText(`${kind}s`, names) });
}

/** The failure for a missing name. */
export function missingName(kind: string, names: readonly string[]): Failure {
  return new Failure('usage', `The name of a ${kind} is missing`, { hint: listNamesText(`${kind}s`, names) });
}

/** The names that a server has, as a sentence. */
export function listNamesText(kinds: string, names: readonly string[]): string {
  return names.length === 0 ? `It has no ${kinds}.` : `It has ${names.slice(0, maxNames).join(', ')}.`;
}
