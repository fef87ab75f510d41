import { type Inspector, inspector, type ModelOptions, type OfferedTarget } from '@ccmcp/inspector';
import type { Words } from '../client/options.ts';
import { keptLook } from './kept-look.ts';
import { lastServers } from './last-servers.ts';
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
