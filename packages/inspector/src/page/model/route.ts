import { signal } from '@preact/signals';
import { saveToTab } from './tab-storage.ts';

/** Sections of a server; `compare` compares two sessions. */
export const sections = [
  'server',
  'tools',
  'resources',
  'templates',
  'prompts',
  'listen',
  'tasks',
  'skills',
  'compare',
] as const;
export type Section = (typeof sections)[number];

/** The current view, as encoded in the URL. */
export interface Route {
  /** Label of a connection. */
  readonly server?: string | undefined;
  readonly section?: Section | undefined;
  /** Name of a tool or prompt, URI of a resource. */
  readonly name?: string | undefined;
  /** Current arguments as JSON. */
  readonly args?: string | undefined;
}

// Longer arguments stay in the tab: long URLs get truncated in transit.
const maxArgsLength = 4000;

/** The current route. */
export const route = signal<Route>({});

/** Encodes a route as a URL fragment. */
export function formatRoute({ server, section, name, args }: Route): string {
  const steps = [server, section, name].filter((step) => step !== undefined).map(encodeURIComponent);
  const query = args === undefined || args.length > maxArgsLength ? '' : `?args=${encodeURIComponent(args)}`;
  return `#/${steps.join('/')}${query}`;
}

/** Parses a URL fragment. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [server, section, name] = path.split('/').map(decodeSegment);
  if (server === undefined || server === '') return {};
  const known = sections.find((each) => each === section);
  const args = new URLSearchParams(query).get('args') ?? undefined;
  return { server, section: known ?? 'server', name: known === undefined ? undefined : name, args };
}

function decodeSegment(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Navigates, with a history entry. */
export function navigate(next: Route): void {
  const address = formatRoute(next);
  if (address !== location.hash) history.pushState(null, '', address);
  setRoute(next, address);
}

/** Replaces the current route without a history entry. */
export function replaceRoute(next: Route): void {
  const address = formatRoute(next);
  history.replaceState(null, '', address);
  setRoute(next, address);
}

function setRoute(next: Route, address: string): void {
  saveToTab('place', address);
  route.value = next;
}

/** Follows the URL, now and on every change. */
export function startRouter(): void {
  const read = () => {
    route.value = parseRoute(location.hash);
    saveToTab('place', location.hash);
  };
  addEventListener('popstate', read);
  addEventListener('hashchange', read);
  read();
}

/** Identifies a session: that of a connection, or one in a recording. */
export interface SessionName {
  /** Label of its connection; empty: the first connection of the recording. */
  readonly label: string;
  /** The recording that contains it; absent for a live session. */
  readonly file?: string | undefined;
}

/** Encodes a session for the URL. */
export function formatSession({ label, file }: SessionName): string {
  const steps = file === undefined ? [label] : [label, file];
  return steps.map(encodeURIComponent).join('@');
}

/** Decodes a session from the URL. */
export function parseSession(text: string): SessionName | undefined {
  if (text === '') return undefined;
  const [label = '', file] = text.split('@').map(decodeURIComponent);
  return { label, file };
}

/** Encodes two sessions for the URL; an unselected one is empty. */
export function formatPair(before: SessionName | undefined, after: SessionName | undefined): string {
  return [before, after].map((name) => (name === undefined ? '' : formatSession(name))).join(',');
}

/** Decodes two sessions from the URL. */
export function parsePair(text: string): readonly [before: SessionName | undefined, after: SessionName | undefined] {
  const [before = '', after = ''] = text.split(',');
  try {
    return [parseSession(before), parseSession(after)];
  } catch {
    return [undefined, undefined];
  }
}

/** Name of the recording that replaces the live state. */
export const openedRecording = signal<string | undefined>(undefined);

/** Navigates to the comparison of two sessions. */
export function navigateToComparison(before?: SessionName, after?: SessionName): void {
  navigate({ server: '~', section: 'compare', name: formatPair(before, after) });
}
