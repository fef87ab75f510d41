import type { Server } from '@ccmcp/core';
import type { InspectorPlace, MountedInspector } from '@ccmcp/core/http';
import { mountedInspector as make } from '@ccmcp/inspector';
import { parseWords } from '../client/options.ts';
import { keptLook } from './kept-look.ts';
import { lastServers } from './last-servers.ts';
import { offeredTargets, resolveTyped } from './targets.ts';

/** The inspector of a server that this command serves, which reaches whatever else the command reaches. */
export async function mountedInspector(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const { options } = parseWords([]);
  const last = lastServers();
  return make(server, place, {
    targets: await offeredTargets([], { options, last }),
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    look: await keptLook(),
  });
}
