import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HttpAuth } from '@ccmcp/core/client';
import { UsageError } from '../command/usage-error.ts';
import type { Environment } from '../system/environment.ts';
import { watchFiles } from '../system/watch-files.ts';
import { featureSwitch } from './apply-features.ts';
import type { GatewayFile, UpstreamSettings } from './gateway-file.ts';
import type { GatewayFeatures } from './file-features.ts';
import { readSources, type Sources, watchedFiles } from './sources.ts';
import { createUpstreams, type Upstreams, type UpstreamsOptions, type UpstreamStatus } from './upstreams.ts';
import { messageLine } from '../terminal/message-line.ts';

/** A gateway that follows changes of its sources. */
export interface Gateway {
  readonly server: Upstreams['server'];
  status(): UpstreamStatus[];
  /** True if callers sign in to an upstream individually. */
  hasCallerLogins(): boolean;
  close(): Promise<void>;
}

/** Options of a gateway beside its sources. */
interface GatewayOptions extends Pick<UpstreamsOptions, 'logLevel' | 'signIns'> {
  /** What is on whatever the file says. */
  features?: GatewayFeatures;
}

/** Opens a gateway. Errors in its sources are written to stderr; the valid part is served. */
export async function openGateway(
  sources: Sources,
  environment: Environment,
  { logLevel, signIns, features = {} }: GatewayOptions = {},
): Promise<Gateway> {
  const note = (text: string): void => environment.printStderr(messageLine(text));
  const first = await readSources(sources, environment);
  const hasGroups = isGrouped(first);
  const upstreams = createUpstreams({ logLevel, hasGroups, signIns, authFor: (url) => loginFor(url, note) });
  const switched = featureSwitch(upstreams.server);
  let good = new Map<string, UpstreamSettings>();
  let mistakes = new Map<string, string>();

  /** Merges the sources: a server with an error keeps its last valid entry. */
  const merge = ({ upstreams: read, mistakes: found }: GatewayFile): Map<string, UpstreamSettings> => {
    const merged = new Map(read);
    mistakes = new Map();
    for (const { server, message } of found) {
      const last = server === undefined ? undefined : good.get(server);
      if (server !== undefined && last !== undefined && !merged.has(server)) {
        merged.set(server, last);
        mistakes.set(server, message);
        note(`${withEnd(message)} is served as before`);
      } else {
        note(server === undefined || merged.has(server) ? message : `${withEnd(message)} is not served`);
      }
    }
    return merged;
  };

  const apply = async (file: GatewayFile): Promise<void> => {
    good = merge(file);
    if (!hasGroups && isGrouped(file)) note('"groups" are declared to clients at the start: start the gateway again');
    const { added, changed, removed } = upstreams.apply(good);
    const isSwitched = await switched.apply({ ...file.features, ...features });
    if (!isOpen) return;
    const parts = [
      describe('added', added),
      describe('changed', changed),
      describe('removed', removed),
      isSwitched ? ['the features have changed'] : [],
    ].flat();
    note(`the servers were read again: ${parts.length === 0 ? 'nothing has changed' : parts.join('; ')}`);
  };

  let isOpen = false;
  await apply(first);
  isOpen = true;
  const reload = async (): Promise<void> => {
    try {
      const file = await readSources(sources, environment);
      watch(file.lockFiles);
      await apply(file);
    } catch (error) {
      note(`${(error as Error).message}; all servers are served as before`);
    }
  };
  const watcher = watchFiles(reload, note);
  const watch = (paths: readonly string[]): void => {
    // A client that is not installed has no folder.
    for (const path of paths) if (existsSync(dirname(path))) watcher.add(path);
  };
  watch([...watchedFiles(sources, environment), ...first.lockFiles]);
  return {
    server: upstreams.server,
    status: () =>
      upstreams.status().map((each) => {
        const mistake = mistakes.get(each.name);
        return mistake === undefined ? each : { ...each, mistake };
      }),
    hasCallerLogins: () => [...good.values()].some(({ auth }) => auth === 'user'),
    async close() {
      watcher.close();
      await upstreams.close();
    },
  };
}

function isGrouped({ upstreams }: GatewayFile): boolean {
  return [...upstreams.values()].some(({ group }) => group !== undefined);
}

/** A message, and "it" as the subject of what follows from it. */
function withEnd(message: string): string {
  return message.endsWith('?') ? `${message} It` : `${message}; it`;
}

function describe(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.join(', ')}`];
}

/** The only file that a command line names. */
export function onlyFile(positionals: readonly string[]): string | undefined {
  const [file, another] = positionals;
  if (another !== undefined) throw new UsageError(`unexpected argument: ${another}`);
  return file;
}

/**
 * Authorizes requests to an upstream with its stored login, also one that is stored later, and refreshes it. The
 * caller's credentials are not used.
 */
function loginFor(url: URL, note: (text: string) => void): HttpAuth {
  let found: Promise<HttpAuth | undefined> | undefined;
  const find = async (): Promise<HttpAuth | undefined> => {
    const { signIn } = await import('../client/sign-in/sign-in.ts');
    return signIn({ output: { note }, url, attended: false });
  };
  return {
    async headers(request) {
      found ??= find();
      const auth = await found;
      if (auth === undefined) found = undefined;
      return (await auth?.headers(request)) ?? {};
    },
    async unauthorized(response) {
      const auth = await (found ?? find());
      if (auth !== undefined) return auth.unauthorized(response);
      throw new Error(`It wants a login, and none is stored for it: ccmcp login ${url.href}`);
    },
  };
}
