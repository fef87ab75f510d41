import { ask, get } from '../model/api.ts';
import { addresses, type WholeCall } from '../../shared/api-paths.ts';
import { fill } from '../model/drafts.ts';
import type { Json } from '../form/json.ts';
import { goTo, type Section } from '../model/route.ts';
import { taskKey } from '../tasks/task-option.tsx';
import { theWorld } from '../model/store.ts';
import type { Call } from '../model/app-state.ts';

/** Makes a call again, as it was. */
export async function repeatCall(call: Call, onMade?: () => void): Promise<void> {
  await ask('repeat', { call: call.start.call });
  onMade?.();
}

const sections: Readonly<Record<string, Section>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
  'resources/read': 'resources',
};

/** Where what a call called is shown. */
export function sectionOf(method: string): Section | undefined {
  return sections[method];
}

/** Brings a call back into the form that it came from. */
export async function editCall({ start }: Call): Promise<void> {
  const { params } = await get<WholeCall>(addresses.call(start.call));
  await edit(theWorld().connections.get(start.connection)?.label ?? '', start.method, params);
}

/** Fills a request into the form for it, and goes there. */
export async function edit(server: string, method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
  const section = sectionOf(method);
  const name = params.name ?? params.uri;
  if (section === undefined || typeof name !== 'string') return;
  const key = draftKey(server, section, name);
  if (section !== 'resources') fill(key, (params.arguments ?? {}) as Json);
  if (section === 'tools') fill(taskKey(key), params.task !== undefined);
  goTo({ server, section, name });
}

/** Names what is filled in for something. */
export function draftKey(server: string, section: Section, name: string): string {
  return `${server}/${section}/${name}`;
}
