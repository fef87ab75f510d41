import type { RemoteGroup } from '@ccmcp/gateway';
import { isRecord } from '../system/record.ts';

/** The groups of a file: one for each server, or for those that are named. */
export type FileGroups = boolean | Readonly<Record<string, true | RemoteGroup>>;

/** The group of the gateway itself, which is never shown: no server can have its name. */
export const ownGroup: RemoteGroup & { name: string } = { name: 'ccmcp-gateway', description: 'Nothing' };

const members = ['name', 'title', 'description'];
const groupName = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** What is wrong with the member "groups"; undefined: nothing. */
export function checkGroups(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined;
  if (!isRecord(value)) return 'must be true, false or an object by the names of servers';
  for (const [server, group] of Object.entries(value)) {
    const problem = group === true ? undefined : checkGroup(group);
    if (problem !== undefined) return `of the server "${server.slice(0, 100)}" ${problem}`;
  }
  return undefined;
}

function checkGroup(group: unknown): string | undefined {
  if (!isRecord(group) || Object.keys(group).some((key) => !members.includes(key))) {
    return 'must be true or an object with "name", "title" and "description"';
  }
  for (const [key, value] of Object.entries(group)) {
    if (typeof value !== 'string' || value.trim() === '') return `needs a text in "${key}"`;
  }
  if (group.name === undefined || groupName.test(group.name as string)) return undefined;
  return 'needs 1 to 64 of a-z and 0-9 in "name", with single hyphens between';
}

/** The group of a server; undefined: none. Throws a sentence if its name is taken, or none can be made of the server's. */
export function groupOf(groups: FileGroups, server: string, taken: Set<string>): RemoteGroup | undefined {
  const found = typeof groups === 'boolean' ? groups : Object.hasOwn(groups, server) && groups[server];
  if (found === false || found === undefined) return undefined;
  const group = found === true ? {} : found;
  const name =
    group.name ??
    (
      server
        .slice(0, 64)
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? []
    ).join('-');
  if (name === '') throw new Error('has a name without a-z and 0-9: give its group a "name" in "groups"');
  if (taken.has(name)) throw new Error(`has the group "${name}", as another server has: give it a "name" in "groups"`);
  taken.add(name);
  return { ...group, name };
}
