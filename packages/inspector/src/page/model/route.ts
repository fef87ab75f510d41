import { signal } from '@preact/signals';
import { keep } from './tab-storage.ts';

/** What a server is looked at for; `compare`: sessions, of which two are. */
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

/** What is looked at; it stands in the address. */
export interface Place {
  /** The label of a connection. */
  readonly server?: string | undefined;
  readonly section?: Section | undefined;
  /** The name of a tool or prompt, the address of a resource. */
  readonly name?: string | undefined;
  /** The arguments that are filled in, as JSON. */
  readonly args?: string | undefined;
}

// Longer arguments stay in the tab: addresses of many thousand characters are cut on their way.
const longestArgs = 4000;

/** What is looked at now. */
export const place = signal<Place>({});

/** The address of a place. */
export function addressOf({ server, section, name, args }: Place): string {
  const steps = [server, section, name].filter((step) => step !== undefined).map(encodeURIComponent);
  const query = args === undefined || args.length > longestArgs ? '' : `?args=${encodeURIComponent(args)}`;
  return `#/${steps.join('/')}${query}`;
}

/** The place that an address means. */
export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [server, section, name] = path.split('/').map(decoded);
  if (server === undefined || server === '') return {};
  const known = sections.find((each) => each === section);
  const args = new URLSearchParams(query).get('args') ?? undefined;
  return { server, section: known ?? 'server', name: known === undefined ? undefined : name, args };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Goes somewhere; one can come back from there. */
export function goTo(next: Place): void {
  const address = addressOf(next);
  if (address !== location.hash) history.pushState(null, '', address);
  remember(next, address);
}

/** Changes what the address says of the place where one is. */
export function amend(next: Place): void {
  const address = addressOf(next);
  history.replaceState(null, '', address);
  remember(next, address);
}

function remember(next: Place, address: string): void {
  keep('place', address);
  place.value = next;
}

/** Reads the place from the address, now and whenever it changes. */
export function followAddress(): void {
  const read = () => {
    place.value = placeOf(location.hash);
    keep('place', location.hash);
  };
  addEventListener('popstate', read);
  addEventListener('hashchange', read);
  read();
}
