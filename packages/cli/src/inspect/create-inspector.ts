import type { Server } from '@ccmcp/core';
import type { InspectorPlace, MountedInspector } from '@ccmcp/core/http';
import {
  type Inspector,
  inspector,
  type ModelOptions,
  mountedInspector as mount,
  type OfferedTarget,
} from '@ccmcp/inspector';
import { parseWords, type ParsedWords } from '../client/options.ts';
import { savedLook, recentServers } from './inspector-state.ts';
import { offeredTargets, resolveTyped, rememberable } from './targets.ts';

/** What the command line asks for. */
interface Wanted {
  words: ParsedWords;
  given: readonly OfferedTarget[];
  token: string;
  model: ModelOptions | undefined;
}

/** Makes the inspector of the command. */
export async function createInspector({ words, given, token, model }: Wanted): Promise<Inspector> {
  const { options } = words;
  const last = recentServers();
  const [targets, look] = await Promise.all([offeredTargets(given, { options, last }), savedLook()]);
  const made = inspector({
    token,
    targets,
    look,
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    ...(model !== undefined && { model }),
  });
  for (const typed of rememberable(words).toReversed()) void last.add(typed);
  return made;
}

/** The inspector of a server that this command serves, which reaches whatever else the command reaches. */
export async function mountedInspector(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const { options } = parseWords([]);
  const last = recentServers();
  return mount(server, place, {
    targets: await offeredTargets([], { options, last }),
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    look: await savedLook(),
  });
}
