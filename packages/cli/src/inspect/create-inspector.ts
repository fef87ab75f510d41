import type { Server } from '@ccmcp/core';
import type { InspectorPlace, MountedInspector } from '@ccmcp/core/http';
import {
  type Inspector,
  inspector,
  type ModelOptions,
  mountedInspector as mount,
  type OfferedTarget,
} from '@ccmcp/inspector';
import { parseWords, type Words } from '../client/options.ts';
import { keptLook, lastServers } from './inspector-state.ts';
import { offeredTargets, resolveTyped, worthKeeping } from './targets.ts';

/** What the command line asks for. */
interface Wanted {
  words: Words;
  given: readonly OfferedTarget[];
  token: string;
  model: ModelOptions | undefined;
}

/** Makes the inspector of the command. */
export async function makeInspector({ words, given, token, model }: Wanted): Promise<Inspector> {
  const { options } = words;
  const last = lastServers();
  const [targets, look] = await Promise.all([offeredTargets(given, { options, last }), keptLook()]);
  const made = inspector({
    token,
    targets,
    look,
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    ...(model !== undefined && { model }),
  });
  for (const typed of worthKeeping(words).toReversed()) void last.add(typed);
  return made;
}

/** The inspector of a server that this command serves, which reaches whatever else the command reaches. */
export async function mountedInspector(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const { options } = parseWords([]);
  const last = lastServers();
  return mount(server, place, {
    targets: await offeredTargets([], { options, last }),
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    look: await keptLook(),
  });
}
