import type { Client } from '@ccmcp/core/client';
import { oneLine } from '../../print.ts';
import { type ListName, offered, whyNot } from '../offered.ts';
import { Problem, type Speaks } from './report.ts';

/** What an open client has learnt of its server, and what is wrong with the lists, if anything. */
export async function whatItSpeaks(
  client: Client,
  transport: Speaks['transport'],
): Promise<{ speaks: Speaks; problem: Problem | undefined }> {
  const { serverInfo, protocolVersion, era } = client;
  const { tools, resources, prompts, failed } = await offered(client, ['tools', 'resources', 'prompts']);
  const count = (name: 'tools' | 'resources' | 'prompts', rows: unknown[] | undefined): number | null =>
    failed[name] === undefined ? (rows?.length ?? 0) : null;
  const speaks: Speaks = {
    transport,
    protocolVersion,
    era,
    ...(serverInfo && { server: { name: serverInfo.name, version: serverInfo.version } }),
    tools: count('tools', tools),
    resources: count('resources', resources),
    prompts: count('prompts', prompts),
  };
  return { speaks, problem: brokenLists(Object.entries(failed) as [ListName, Error][]) };
}

function brokenLists(failed: readonly [ListName, Error][]): Problem | undefined {
  if (failed.length === 0) return undefined;
  const each = failed.map(([name, error]) => `the list of ${name}: ${whyNot(error)}`);
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
