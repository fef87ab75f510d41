import type { OfferedTarget, Target } from '@ccmcp/inspector';
import { serverSummaries } from '../serve/servers.ts';
import { findConfiguredTarget, configuredTargetNames } from '../client/connection/configured-target.ts';
import type { ClientOptions, ParsedWords } from '../client/options.ts';
import { quoteWord, splitLine } from '../util/shell-words.ts';
import { resolveTarget } from '../client/connection/target.ts';
import { serverNames } from '../serve/servers.ts';
import type { RecentServers } from './inspector-state.ts';
import { toInspectorTarget, toOfferedTarget } from './inspector-target.ts';

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
export function rememberable({ words, command, serverArgs }: ParsedWords): string[] {
  const isNamed = (word: string): boolean => [...serverNames, ...configuredTargetNames()].some((name) => name === word);
  const typed = serverArgs.length > 0 ? [] : words.filter((word) => !isNamed(word));
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
