import type { Connection } from '../../shared/connections.ts';
import type { AppState } from './app-state.ts';
import { formatRoute, openedRecording, replaceRoute, type Route, route, type Section } from './route.ts';

/** Whether a server has something to show in a section. */
export function hasSection(appState: AppState, { id, server }: Connection, section: Section): boolean {
  if (section === 'server') return true;
  if (server === undefined) return false;
  const { lists, tasks, skills, subscriptions, changeHistory } = appState;
  const isOwn = ({ connection }: { connection: string }): boolean => connection === id;
  if (section === 'tasks' && [...tasks.values()].some(isOwn)) return true;
  if (openedRecording.value !== undefined) {
    if (section === 'tasks') return false;
    if (section === 'skills') return skills.has(id);
    if (section === 'listen')
      return [...subscriptions.values()].some(isOwn) || changeHistory.forConnection(id).length > 0;
    return (lists.get(`${id}/${section}`)?.state ?? 'absent') !== 'absent';
  }
  const extensions = (server.capabilities.extensions ?? {}) as Readonly<Record<string, unknown>>;
  if (section === 'tasks') return 'tasks' in server.capabilities || 'io.modelcontextprotocol/tasks' in extensions;
  if (section === 'skills') return 'io.modelcontextprotocol/skills' in extensions;
  return section === 'listen' || lists.get(`${id}/${section}`)?.state !== 'absent';
}

/** First section to show: tools, or another that the server has. */
export function firstSection({ status, server }: Connection): Section {
  if (server === undefined) return status.is === 'connecting' ? 'tools' : 'server';
  const listed = (['tools', 'resources', 'prompts'] as const).find((section) => section in server.capabilities);
  return listed ?? 'server';
}

/** The connection of a route. */
export function selectedConnection({ connections }: AppState, { server }: Route = route.value): Connection | undefined {
  if (server === undefined) return undefined;
  for (const connection of connections.values()) if (connection.label === server) return connection;
  return undefined;
}

/** Whether nothing was ever connected: there is no timeline to show. */
export function isPristine({ connections, timeline }: AppState): boolean {
  return connections.size === 0 && timeline.events.length === 0;
}

let isFreshOpen = false;
let initialAddress = '';

/** Detects whether the page was opened without a route; an existing route, as after a reload, stays. */
export function detectFreshOpen(): void {
  isFreshOpen = location.hash === '';
}

/** Routes a freshly opened page to the first working server, until the user navigates. */
export function routeToFirstServer({ connections }: AppState): void {
  if (isFreshOpen && location.hash !== initialAddress) isFreshOpen = false;
  const all = [...connections.values()];
  const best = all.find(({ status }) => status.is === 'connected' || status.is === 'connecting') ?? all[0];
  if (!isFreshOpen || best === undefined) return;
  routeTo(best);
  if (best.status.is === 'connected') isFreshOpen = false;
}

function routeTo(connection: Connection): void {
  const there = { server: connection.label, section: firstSection(connection) };
  initialAddress = formatRoute(there);
  if (route.value.server !== there.server || route.value.section !== there.section) replaceRoute(there);
}
