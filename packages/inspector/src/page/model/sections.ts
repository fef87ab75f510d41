import type { Connection } from '../../shared/connections.ts';
import type { Section } from './place.ts';
import { openedRecording } from './opened-recording.ts';
import type { World } from './world.ts';

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
