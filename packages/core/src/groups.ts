export {
  groupsClient,
  type GroupsClientOptions,
  groupsOf,
  type RemoteGroups,
} from './features/groups/client/groups-of.ts';
export type { Group, GroupContents, GroupDetails } from './features/groups/group.ts';
export type { GroupDefinition } from './features/groups/group-definition.ts';
export { groups, type GroupsOptions, type ServedGroups } from './features/groups/groups.ts';
export { nameMatcher } from './features/name-pattern.ts';
