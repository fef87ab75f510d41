import type { Connection } from '../../shared/connections.ts';
import type { Section, Place } from './route.ts';
import { openedRecording } from './opened-recording.ts';
import type { World } from './app-state.ts';
import { place } from './route.ts';

/** Whether there is something of this kind to see of a server. */
export function hasSection(world: World, { id, server }: Connection, section: Section): boolean {
  if (section === 'server') return true;
  if (server === undefined) return false;
  const { lists, tasks, skills, subscriptions, heard } = world;
  const isOwn = ({ connection }: { connection: string }): boolean => connection === id;
  if (section === 'tasks' && [...tasks.values()].some(isOwn)) return true;
  if (openedRecording.value !== undefined) {
    if (section === 'tasks') return false;
    if (section === 'skills') return skills.has(id);
    if (section === 'listen') return [...subscriptions.values()].some(isOwn) || heard.of(id).length > 0;
    return (lists.get(`${id}/${section}`)?.state ?? 'absent') !== 'absent';
  }
  const extensions = (server.capabilities.extensions ?? {}) as Readonly<Record<string, unknown>>;
  if (section === 'tasks') return 'tasks' in server.capabilities || 'io.modelcontextprotocol/tasks' in extensions;
  if (section === 'skills') return 'io.modelcontextprotocol/skills' in extensions;
  return section === 'listen' || lists.get(`${id}/${section}`)?.state !== 'absent';
}

/** What of a server is shown first: its tools, or what else it has. */
export function firstSection({ status, server }: Connection): Section {
  if (server === undefined) return status.is === 'connecting' ? 'tools' : 'server';
  const listed = (['tools', 'resources', 'prompts'] as const).find((section) => section in server.capabilities);
  return listed ?? 'server';
}

/** The connection that is looked at. */
export function chosenConnection({ connections }: World, { server }: Place = place.value): Connection | undefined {
  if (server === undefined) return undefined;
  for (const connection of connections.values()) if (connection.label === server) return connection;
  return undefined;
}

/** Whether nothing has been connected to yet: then there is no timeline to look at. */
export function isUntouched({ connections, timeline }: World): boolean {
  return connections.size === 0 && timeline.length === 0;
}
