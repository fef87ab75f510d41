import { ProtocolError } from '@ccmcp/core';
import { type Client, HttpError, ResultError, TimeoutError } from '@ccmcp/core/client';
import { Problem, type Speaks } from './report.ts';
import type { ProbeWords } from './words.ts';

const names = ['tools', 'resources', 'prompts'] as const;
type ListName = (typeof names)[number];

/** What an open client has learnt of its server, and what is wrong with the lists, if anything. */
export async function whatItSpeaks(
  client: Client,
  transport: Speaks['transport'],
  words: ProbeWords,
): Promise<{ speaks: Speaks; problem: Problem | undefined }> {
  const { serverInfo, protocolVersion, era } = client;
  const counts: Record<ListName, number | null> = { tools: 0, resources: 0, prompts: 0 };
  const failed: [ListName, unknown][] = [];
  for (const name of names) {
    if (client.capabilities[name] === undefined) continue;
    try {
      counts[name] = await counted[name](client);
    } catch (error) {
      // Without a connection there are no other lists either.
      if (!isOfTheList(error)) throw error;
      counts[name] = null;
      failed.push([name, error]);
    }
  }
  const speaks: Speaks = {
    transport,
    protocolVersion,
    era,
    ...(serverInfo && { server: { name: serverInfo.name, version: serverInfo.version } }),
    ...counts,
  };
  return {
    speaks,
    problem: brokenLists(failed, (error) => words.failed(error, transport === 'stdio' ? 'command' : 'url').message),
  };
}

const counted: Readonly<Record<ListName, (client: Client) => Promise<number>>> = {
  tools: async (client) => (await client.listTools().all()).length,
  resources: async (client) => (await client.listResources().all()).length,
  prompts: async (client) => (await client.listPrompts().all()).length,
};

function isOfTheList(error: unknown): boolean {
  if (error instanceof HttpError) return ![401, 403, 502, 503, 504].includes(error.status);
  return error instanceof ProtocolError || error instanceof ResultError || error instanceof TimeoutError;
}

function brokenLists(
  failed: readonly (readonly [ListName, unknown])[],
  why: (error: unknown) => string,
): Problem | undefined {
  if (failed.length === 0) return undefined;
  const each = failed.map(([name, error]) => `the list of ${name}: ${why(error)}`);
  const advice =
    `The server says that it has ${failed.map(([name]) => name).join(' and ')}. It has to answer, if only with an empty ` +
    'list, or not to say so. Everything else of it can be used; clients that ask for every list may give up on it.';
  return new Problem('broken-list', `It can't give ${each.join(', nor ')}`, advice);
}

/** The same in a sentence. */
export function speaksText({ server, protocolVersion, era, tools, resources, prompts }: Speaks): string {
  const name = server === undefined ? 'a server without a name' : `${oneLine(server.name)} ${oneLine(server.version)}`;
  const offers = Object.entries({ tools, resources, prompts }).map(
    ([what, count]) => `${count ?? 'an unknown number of'} ${count === 1 ? what.slice(0, -1) : what}`,
  );
  return `${name} speaks ${protocolVersion} (${era}) and offers ${offers.join(', ')}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}
