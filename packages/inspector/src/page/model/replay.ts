import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import type { Json } from '../../shared/json.ts';
import { fetchJson, request } from './api.ts';
import type { Call } from './app-state.ts';
import { draftKey, setDraft, taskOptionKey } from './drafts.ts';
import { navigate, type Section } from './route.ts';
import { getAppState } from './store.ts';

/** Repeats a call. */
export async function replayCall(call: Call, onMade?: () => void): Promise<void> {
  await request('repeat', { call: call.start.call });
  onMade?.();
}

const methodSections: Readonly<Record<string, Section>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
  'resources/read': 'resources',
};

/** Section that shows the subject of a method. */
export function sectionForMethod(method: string): Section | undefined {
  return methodSections[method];
}

/** Loads a call back into its form. */
export async function editCall({ start }: Call): Promise<void> {
  const { params } = await fetchJson<FullCall>(apiPaths.call(start.call));
  await editRequest(getAppState().connections.get(start.connection)?.label ?? '', start.method, params);
}

/** Loads a request into its form, and navigates there. */
export async function editRequest(
  server: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  const section = sectionForMethod(method);
  const name = params.name ?? params.uri;
  if (section === undefined || typeof name !== 'string') return;
  const key = draftKey(server, section, name);
  if (section !== 'resources') setDraft(key, (params.arguments ?? {}) as Json);
  if (section === 'tools') setDraft(taskOptionKey(key), params.task !== undefined);
  navigate({ server, section, name });
}
