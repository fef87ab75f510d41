import type { Server } from '@ccmcp/core';
import type { InspectorPlace, MountedInspector } from '@ccmcp/core/http';
import {
  type Inspector,
  inspector,
  type ModelOptions,
  mountedInspector as mount,
  type OfferedTarget,
  type Target,
} from '@ccmcp/inspector';
import { parseWords, type ParsedWords, type ClientOptions } from '../client/options.ts';
import { pageSettingsStore, recentServers, type RecentServers } from './inspector-state.ts';
import { serverSummaries, serverNames } from '../servers/servers.ts';
import { findConfiguredTarget, configuredTargetNames } from '../client/connection/configured-target.ts';
import { quoteWord, splitLine } from '../system/shell-words.ts';
import { resolveTarget } from '../client/connection/target.ts';
import { toInspectorTarget, toOfferedTarget } from './inspector-target.ts';

/** The inspector options of the command line. */
interface Wanted {
  words: ParsedWords;
  given: readonly OfferedTarget[];
  token: string;
  model: ModelOptions | undefined;
}

/** Creates the inspector of the command. */
export async function createInspector({ words, given, token, model }: Wanted): Promise<Inspector> {
  const { options } = words;
  const last = recentServers();
  const [targets, pageSettings] = await Promise.all([offeredTargets(given, { options, last }), pageSettingsStore()]);
  const made = inspector({
    token,
    targets,
    pageSettings,
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    ...(model !== undefined && { model }),
  });
  for (const typed of targetsToRemember(words).toReversed()) void last.add(typed);
  return made;
}

/** Creates the inspector of a server that this command serves. It reaches all targets of the command. */
export async function mountedInspector(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const { options } = parseWords([]);
  const last = recentServers();
  return mount(server, place, {
    targets: await offeredTargets([], { options, last }),
    resolveTarget: (typed) => resolveTyped(typed, options),
    remember: (typed) => void last.add(typed),
    pageSettings: await pageSettingsStore(),
  });
}

/** The targets that the page offers: named, recent, ready-made, configured. */
export async function offeredTargets(
  given: readonly OfferedTarget[],
  { options, last }: { options: ClientOptions; last: RecentServers },
): Promise<OfferedTarget[]> {
  const known = new Set(given.map(({ label }) => label));
  const ready: OfferedTarget[] = [];
  for (const name of serverNames.filter((each) => !known.has(each))) {
    const target = toOfferedTarget(await resolveTarget(name, undefined, {}), 'ready-made', options);
    ready.push({ ...target, detail: serverSummaries[name] });
  }
  const configured = configuredTargetNames().filter(
    (name) => !known.has(name) && !serverNames.some((each) => each === name),
  );
  const before = (await last.list()).filter((typed) => !known.has(typed));
  return [
    ...given,
    ...before.map((typed) => lastOffer(typed, options)),
    ...ready,
    ...configured.flatMap((name) => configuredOffer(name, options)),
  ];
}

/** The targets of the command line to remember. */
export function targetsToRemember({ words, command, serverArgs }: ParsedWords): string[] {
  const isKnownName = (word: string): boolean =>
    [...serverNames, ...configuredTargetNames()].some((name) => name === word);
  const typed = serverArgs.length > 0 ? [] : words.filter((word) => !isKnownName(word));
  return command === undefined ? typed : [...typed, `-- ${command.map(quoteWord).join(' ')}`];
}

function lastOffer(typed: string, options: ClientOptions): OfferedTarget {
  const kind = /^https?:/i.test(typed) ? 'url' : 'command';
  return { label: typed, kind, origin: 'last', resolve: () => resolveTyped(typed, options) };
}

/** Resolves a target typed into the page: one word as on the command line, or several that form a command. */
export async function resolveTyped(typed: string, options: ClientOptions): Promise<Target> {
  const words = splitLine(typed.replace(/^--\s+/, ''));
  const isCommand = words.length > 1 || typed.startsWith('-- ');
  return toInspectorTarget(
    await (isCommand ? resolveTarget(undefined, words) : resolveTarget(words[0] ?? typed, undefined)),
    options,
  );
}

function configuredOffer(name: string, options: ClientOptions): OfferedTarget[] {
  try {
    const target = findConfiguredTarget(name, options.env);
    return target === undefined ? [] : [toOfferedTarget(target, 'configured', options)];
  } catch {
    // "ccmcp doctor" reports broken entries.
    return [];
  }
}
