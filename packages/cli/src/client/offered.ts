import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { type Client, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { failureOf } from './explain.ts';

/** The lists that a server may have. */
export const listNames = ['tools', 'resources', 'templates', 'prompts'] as const;

export type ListName = (typeof listNames)[number];

type Rows<Lister extends 'listTools' | 'listResources' | 'listResourceTemplates' | 'listPrompts'> = Awaited<
  ReturnType<ReturnType<Client[Lister]>['all']>
>;

/** What a server offers. A list that it does not have is absent, and so is one that it could not give. */
export interface Offered {
  tools?: Rows<'listTools'>;
  resources?: Rows<'listResources'>;
  templates?: Rows<'listResourceTemplates'>;
  prompts?: Rows<'listPrompts'>;
  /** The errors of the lists that the server says it has, and could not give. */
  failed: Partial<Record<ListName, Error>>;
}

/** Fetches the lists that are wanted and that the server has. One that fails does not hide the others. */
export async function offered(client: Client, wanted: readonly ListName[] = listNames): Promise<Offered> {
  const { capabilities } = client;
  const failed: Offered['failed'] = {};
  const fetch = async <T>(name: ListName, isThere: unknown, get: () => Promise<T>): Promise<T | undefined> => {
    if (!wanted.includes(name) || isThere === undefined) return undefined;
    try {
      return await get();
    } catch (error) {
      // Without a connection there are no other lists either.
      if (!isOfTheList(error)) throw error;
      failed[name] = error;
      return undefined;
    }
  };
  // Together: a server that gives none of them is waited for once.
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

/** Why a list could not be given, in a sentence. */
export function whyNot(error: Error): string {
  return failureOf(error).message;
}

function isOfTheList(error: unknown): error is Error {
  if (error instanceof HttpError) return ![401, 403, 502, 503, 504].includes(error.status);
  return error instanceof ProtocolError || error instanceof ResultError || error instanceof TimeoutError;
}

/** Servers that have resources need not have templates, and some then know nothing of the list. */
async function templatesOf(client: Client): Promise<Rows<'listResourceTemplates'>> {
  try {
    return await client.listResourceTemplates().all();
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return [];
    throw error;
  }
}
