import type { Client } from '../../client/client.ts';
import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { digestOf, maxDefinitionDepth, toDefinition } from './definition.ts';
import {
  type DefinitionKind,
  definitionKinds,
  type Lock,
  type LockedDefinition,
  type LockedServer,
  LockError,
  lockVersion,
  quoteName,
} from './lock.ts';

/** Creates a lock of servers, by the names of their targets. */
export async function lockServers(clients: Readonly<Record<string, Client>>): Promise<Lock> {
  const read = Object.entries(clients).map(async ([name, client]) => [name, await readServer(client)] as const);
  return { lockVersion, targets: Object.fromEntries(await Promise.all(read)) };
}

/** Reads what a server offers, twice: what differs from one request to the next can't be locked. */
async function readServer(client: Client): Promise<LockedServer> {
  const [first, second] = [await readOnce(client), await readOnce(client)];
  for (const { kind, member } of definitionKinds) {
    const names = new Set([...Object.keys(first[member]), ...Object.keys(second[member])]);
    for (const name of names) {
      if (first[member][name]?.digest === second[member][name]?.digest) continue;
      throw new LockError(
        `The server answers differently each time: the ${kind} ${quoteName(name)} changed between two requests. ` +
          'Lock it when it is stable, or remove from its definition what varies, such as a time or a random id',
      );
    }
  }
  return first;
}

async function readOnce(client: Client): Promise<LockedServer> {
  const { serverInfo = {}, capabilities, instructions } = client;
  const { name, title, version } = serverInfo as LockedServer['server'];
  const lists = definitionKinds.map(async (kind) => [kind.member, await readList(client, kind)]);
  return {
    server: {
      ...(typeof name === 'string' && { name }),
      ...(typeof title === 'string' && { title }),
      ...(typeof version === 'string' && { version }),
    },
    revisions: await readRevisions(client),
    capabilities,
    ...(typeof instructions === 'string' && { instructions }),
    ...(Object.fromEntries(await Promise.all(lists)) as Pick<LockedServer, DefinitionKind['member']>),
  };
}

async function readRevisions(client: Client): Promise<string[]> {
  const negotiated = [client.protocolVersion];
  if (client.era === 'handshake') return negotiated;
  const { supportedVersions } = await client.request('server/discover');
  const named = Array.isArray(supportedVersions) ? supportedVersions.filter((each) => typeof each === 'string') : [];
  return [...new Set([...negotiated, ...named])].sort();
}

async function readList(client: Client, kind: DefinitionKind): Promise<Record<string, LockedDefinition<object>>> {
  const rows = await readRows(client, kind);
  const found = new Map<string, LockedDefinition<object>>();
  for (const row of rows) {
    const read = toDefinition(kind, row);
    if (read === undefined) {
      const what = `an object with "${kind.key}", or is nested deeper than ${maxDefinitionDepth} levels`;
      throw new LockError(`A row of ${kind.method} is not ${what}: it can't be locked until the server is repaired`);
    }
    const { name, definition } = read;
    const digest = await digestOf(definition);
    if (found.has(name) && found.get(name)?.digest !== digest) {
      throw new LockError(
        `The server lists two different ${kind.member} ${quoteName(name)}: they can't be locked until one has another name`,
      );
    }
    found.set(name, { digest, definition });
  }
  return Object.fromEntries(found);
}

async function readRows(client: Client, { kind }: DefinitionKind): Promise<unknown[]> {
  const { tools, resources, prompts } = client.capabilities;
  const fresh = { fresh: true };
  if (kind === 'tool') return tools === undefined ? [] : client.listTools(fresh).all();
  if (kind === 'prompt') return prompts === undefined ? [] : client.listPrompts(fresh).all();
  if (resources === undefined) return [];
  if (kind === 'resource') return client.listResources(fresh).all();
  try {
    return await client.listResourceTemplates(fresh).all();
  } catch (error) {
    // Servers with resources need not have templates.
    if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return [];
    throw error;
  }
}
