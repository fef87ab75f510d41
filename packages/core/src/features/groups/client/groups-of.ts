import { createListing } from '../../../client/calls/paged-list.ts';
import type { Client } from '../../../client/client.ts';
import { ResultError } from '../../../client/errors.ts';
import type { ClientExtension } from '../../../client/extension.ts';
import { internalsOf } from '../../../client/internals.ts';
import type { RequestOptions } from '../../../client/request-options.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import type { Result } from '../../../protocol/results.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import { type Group, type GroupContents, type GroupDetails, groupsChanged, groupsId, isGroupName } from '../group.ts';

/** Options of `groupsClient`. */
export interface GroupsClientOptions {
  /** Called when the server says that its groups have changed. */
  onListChanged?: () => void;
}

/** For `extensions` of `connect`: declares that this client reads groups. */
export function groupsClient(options: GroupsClientOptions = {}): ClientExtension {
  assertKnownOptions('groupsClient', options, ['onListChanged'] satisfies (keyof GroupsClientOptions)[]);
  return {
    id: groupsId,
    methods: {
      'groups/list': { caches: true, repeatable: true },
      'groups/get': { caches: true, repeatable: true, listsTools: 'contents' },
    },
    notifications: { [groupsChanged]: { onNotification: () => options.onListChanged?.() } },
  };
}

/** The groups of one server. */
export interface RemoteGroups {
  /** The top-level groups. Invalid entries are skipped. */
  list(options?: RequestOptions): Promise<Group[]>;
  /** The contents of a group. Its tools can be called, its prompts and resources be read, like listed ones. */
  get(name: string, options?: RequestOptions): Promise<GroupDetails>;
  /** Fetches a group with all nested groups, each once; without a name, all groups. */
  all(name?: string, options?: RequestOptions): Promise<Map<string, GroupDetails>>;
}

/** Maximum number of groups that `all` fetches. */
const maxGroups = 1000;

/** The groups of a client's server. */
export function groupsOf(client: Client): RemoteGroups {
  const check = (): void => {
    if (client.capabilities.extensions?.[groupsId] === undefined) {
      throw new TypeError('This server has no groups: it does not declare the extension');
    }
    if (!client.supports(groupsId)) {
      throw new TypeError('This client does not declare groups: connect with extensions: [groupsClient()]');
    }
  };
  const remote: RemoteGroups = {
    async list(options) {
      check();
      const listed = createListing<unknown>('groups', (cursor) =>
        client.request('groups/list', cursor === undefined ? undefined : { cursor }, options),
      );
      return toGroups(await listed.all());
    },
    async get(name, options) {
      check();
      if (!isGroupName(name)) throw new TypeError('A group has a name of 1 to 64 of a-z and 0-9, with single hyphens');
      const details = parseDetails(await client.request('groups/get', { name }, options));
      internalsOf(client).toolCalls.recordUnlisted(details.contents?.tools ?? []);
      return details;
    },
    async all(name, options) {
      const found = new Map<string, GroupDetails>();
      let level = name === undefined ? (await remote.list(options)).map((group) => group.name) : [name];
      while (level.length > 0) {
        if (found.size + level.length > maxGroups) {
          throw new ResultError(`The server has more than ${maxGroups} groups: get those that are needed`);
        }
        const fetched = await Promise.all(level.map(async (each) => [each, await remote.get(each, options)] as const));
        for (const [each, details] of fetched) found.set(each, details);
        const nested = fetched.flatMap(([, { contents }]) => contents?.groups ?? []).map((group) => group.name);
        // A group may be nested in several, and a faulty server may nest them in a cycle.
        level = Array.from(new Set(nested)).filter((each) => !found.has(each));
      }
      return found;
    },
  };
  return remote;
}

/** The valid groups of a list, each name once. */
function toGroups(entries: unknown): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
    if (!isObject(entry) || !isGroupName(entry.name) || typeof entry.description !== 'string') continue;
    if (!groups.has(entry.name)) groups.set(entry.name, entry as unknown as Group);
  }
  return Array.from(groups.values());
}

function parseDetails(result: Result): GroupDetails {
  const { instructions, contents } = result;
  const isValid =
    (instructions === undefined || typeof instructions === 'string') && (contents === undefined || isObject(contents));
  if (!isValid || (instructions === undefined && contents === undefined)) {
    throw new ResultError('The server returned a group without instructions or contents', result);
  }
  return {
    ...(typeof instructions === 'string' && { instructions }),
    ...(isObject(contents) && { contents: parseContents(contents) }),
  };
}

function parseContents({ tools, prompts, resources, groups }: Record<string, unknown>): GroupContents {
  return {
    ...(tools !== undefined && { tools: rowsWith('name', tools) as GroupContents['tools'] & object }),
    ...(prompts !== undefined && { prompts: rowsWith('name', prompts) as GroupContents['prompts'] & object }),
    ...(resources !== undefined && { resources: rowsWith('uri', resources) as GroupContents['resources'] & object }),
    ...(groups !== undefined && { groups: toGroups(groups) }),
  };
}

/** The entries of a list that have a name or URI. */
function rowsWith(key: string, rows: unknown): unknown[] {
  return (Array.isArray(rows) ? (rows as unknown[]) : []).filter(
    (row) => isObject(row) && typeof row[key] === 'string',
  );
}
