import type { OfferedTarget, Target } from '@ccmcp/inspector';
import type { HttpAuth, HttpTap } from '@ccmcp/core/client';
import { aboutServers } from '../about-servers.ts';
import { configuredTarget, namesToSay } from '../client/configured-target.ts';
import type { ClientOptions, Words } from '../client/options.ts';
import { serverName } from '../client/server-name.ts';
import { quotedWord, splitLine } from '../client/shell-words.ts';
import { type Target as Named, targetOf } from '../client/target.ts';
import { serverNames } from '../servers.ts';
import type { LastServers } from './last-servers.ts';

/** What the page offers: what the command line names, what somebody connected to last time, what is ready-made, what is configured. */
export async function offeredTargets(
  { words, command, serverArgs, options }: Words,
  last: LastServers,
): Promise<OfferedTarget[]> {
  const given: OfferedTarget[] = [];
  for (const word of words)
    given.push(offered(await targetOf(word, undefined, { serverArgs, env: options.env }), 'given', options));
  if (command !== undefined) given.push(offered(await targetOf(undefined, command, {}), 'given', options));
  const known = new Set(given.map(({ label }) => label));
  const ready: OfferedTarget[] = [];
  for (const name of serverNames.filter((each) => !known.has(each))) {
    const target = offered(await targetOf(name, undefined, {}), 'ready-made', options);
    ready.push({ ...target, detail: aboutServers[name] });
  }
  const configured = namesToSay().filter((name) => !known.has(name) && !serverNames.some((each) => each === name));
  const before = (await last.list()).filter((typed) => !known.has(typed));
  return [
    ...given,
    ...before.map((typed) => lastOffer(typed, options)),
    ...ready,
    ...configured.flatMap((name) => configuredOffer(name, options)),
  ];
}

/** What of the command line is worth offering another time. */
export function worthKeeping({ words, command, serverArgs }: Words): string[] {
  const isNamed = (word: string): boolean => [...serverNames, ...namesToSay()].some((name) => name === word);
  const typed = serverArgs.length > 0 ? [] : words.filter((word) => !isNamed(word));
  return command === undefined ? typed : [...typed, `-- ${command.map(quotedWord).join(' ')}`];
}

function lastOffer(typed: string, options: ClientOptions): OfferedTarget {
  const kind = /^https?:/i.test(typed) ? 'url' : 'command';
  return { label: typed, kind, origin: 'last', resolve: () => resolveTyped(typed, options) };
}

/** What somebody means who types a target into the page: one word as on the command line, or several that are a command. */
export async function resolveTyped(typed: string, options: ClientOptions): Promise<Target> {
  const words = splitLine(typed.replace(/^--\s+/, ''));
  const isCommand = words.length > 1 || typed.startsWith('-- ');
  return meant(await (isCommand ? targetOf(undefined, words) : targetOf(words[0] ?? typed, undefined)), options);
}

function configuredOffer(name: string, options: ClientOptions): OfferedTarget[] {
  try {
    const target = configuredTarget(name, options.env);
    return target === undefined ? [] : [offered(target, 'configured', options)];
  } catch {
    // What is not as it should be is told by "ccmcp doctor".
    return [];
  }
}

function offered(target: Named, origin: OfferedTarget['origin'], options: ClientOptions): OfferedTarget {
  const found = meant(target, options);
  const { label, kind, detail } = found;
  return { label, kind, origin, ...(detail !== undefined && { detail }), resolve: async () => found };
}

/** A target in the terms of the inspector, with the headers and variables of the command line. */
function meant(target: Named, options: ClientOptions): Target {
  const { configured } = target;
  const headers = { ...configured?.headers, ...options.headers };
  if (target.kind === 'url') {
    const { url, label } = target;
    const auth = (tap: HttpTap): Promise<HttpAuth | undefined> => keptLogin(url, tap);
    return { kind: 'url', url: url.href, label, detail: `${url.origin}${url.pathname}`, headers, auth };
  }
  const { command, args, cwd } = target;
  const own = target.label === serverName(target);
  return {
    kind: 'command',
    label: target.label,
    detail: configured?.note ?? (own ? target.label : [command, ...args].map(quotedWord).join(' ')),
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    env: { ...ownEnvironment(options.model.keyEnv), ...configured?.env, ...options.env },
    framing: options.framing,
  };
}

/** The login that is kept for a server. Where it does not do any more, the page lets the person sign in. */
async function keptLogin(url: URL, tap: HttpTap): Promise<HttpAuth | undefined> {
  const { signIn } = await import('../client/sign-in.ts');
  const auth = await signIn({ output: { note: () => {} }, url, attended: false, tap });
  return (
    auth && {
      headers: (request) => auth.headers(request),
      unauthorized: (refused) => auth.unauthorized(refused).catch(() => false),
    }
  );
}

/** Whoever types a command expects it to see what their shell has set; but the key of a model is for the inspector. */
function ownEnvironment(withheld: string | undefined): Record<string, string> {
  const set = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(set.filter(([name]) => name !== withheld));
}
