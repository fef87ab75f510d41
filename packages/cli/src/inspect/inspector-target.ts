import type { OfferedTarget, Target } from '@ccmcp/inspector';
import type { HttpAuth, HttpTap } from '@ccmcp/core/client';
import type { ClientOptions, ParsedWords } from '../client/options.ts';
import { serverName, type Target as Named, resolveTarget } from '../client/connection/target.ts';
import { quoteWord } from '../system/shell-words.ts';
import { shellEnvironment } from '../system/environment.ts';

/** The targets that the command line names. */
export async function namedTargets({ words, command, serverArgs, options }: ParsedWords): Promise<OfferedTarget[]> {
  const given: OfferedTarget[] = [];
  for (const word of words)
    given.push(
      toOfferedTarget(await resolveTarget(word, undefined, { serverArgs, env: options.env }), 'given', options),
    );
  if (command !== undefined) given.push(toOfferedTarget(await resolveTarget(undefined, command, {}), 'given', options));
  return given;
}

/** A target as the page offers it. */
export function toOfferedTarget(target: Named, origin: OfferedTarget['origin'], options: ClientOptions): OfferedTarget {
  const found = toInspectorTarget(target, options);
  const { label, kind, detail } = found;
  return { label, kind, origin, ...(detail !== undefined && { detail }), resolve: async () => found };
}

/** Converts a target for the inspector, with the headers and variables of the command line. */
export function toInspectorTarget(target: Named, options: ClientOptions): Target {
  const { configured } = target;
  const headers = { ...configured?.headers, ...options.headers };
  const pinned = options.lock === undefined ? {} : { pin: pinTo(options.lock, options.as ?? target.label) };
  if (target.kind === 'url') {
    const { url, label } = target;
    const auth = (tap: HttpTap): Promise<HttpAuth | undefined> => storedLogin(url, tap);
    return { kind: 'url', url: url.href, label, detail: `${url.origin}${url.pathname}`, headers, auth, ...pinned };
  }
  const { command, args, cwd } = target;
  const own = target.label === serverName(target);
  return {
    kind: 'command',
    label: target.label,
    detail: configured?.note ?? (own ? target.label : [command, ...args].map(quoteWord).join(' ')),
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    env: { ...shellEnvironment(options.model.keyEnv), ...configured?.env, ...options.env },
    framing: options.framing,
    ...pinned,
  };
}

/** Pins a target to a lock, which takes over what the user accepts. */
function pinTo(path: string, target: string): NonNullable<Target['pin']> {
  const load = () => import('../client/connection/lock-file.ts');
  return {
    lock: async () => (await load()).readLockedServer(path, target),
    accept: async (client, name) => (await load()).acceptInLock(path, { target, client, names: [name] }),
  };
}

/** The stored login for a server. If it is rejected, the page offers to sign in. */
async function storedLogin(url: URL, tap: HttpTap): Promise<HttpAuth | undefined> {
  const { signIn } = await import('../client/sign-in/sign-in.ts');
  const auth = await signIn({ output: { note: () => {} }, url, attended: false, tap });
  return (
    auth && {
      headers: (request) => auth.headers(request),
      unauthorized: (rejected) => auth.unauthorized(rejected).catch(() => false),
    }
  );
}
