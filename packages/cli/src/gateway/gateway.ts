import { type FSWatcher, watch } from 'node:fs';
import { UsageError } from '../command/usage-error.ts';
import type { Environment } from '../system/environment.ts';
import { featureSwitch } from './apply-features.ts';
import type { GatewayFile, UpstreamSettings } from './gateway-file.ts';
import type { GatewayFeatures } from './file-features.ts';
import { loginFor } from './login-for.ts';
import { folderOf, readSources, type Sources, watchedFiles } from './sources.ts';
import { createUpstreams, type Upstreams, type UpstreamsOptions, type UpstreamStatus } from './upstreams.ts';

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

/** An editor writes a file in several steps. */
const debounceMs = 50;

/** Opens a gateway. Errors in its sources are written to stderr; the valid part is served. */
export async function openGateway(
  sources: Sources,
  environment: Environment,
  { logLevel, signIns, features = {} }: GatewayOptions = {},
): Promise<Gateway> {
  const note = (text: string): void => environment.printStderr(`ccmcp: ${text}\n`);
  const upstreams = createUpstreams({ logLevel, signIns, authFor: (url) => loginFor(url, note) });
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
  await apply(await readSources(sources, environment));
  isOpen = true;
  const reload = async (): Promise<void> => {
    try {
      await apply(await readSources(sources, environment));
    } catch (error) {
      note(`${(error as Error).message}; all servers are served as before`);
    }
  };
  const stopWatching = watchFiles(watchedFiles(sources, environment), reload, note);
  return {
    server: upstreams.server,
    status: () =>
      upstreams.status().map((each) => {
        const mistake = mistakes.get(each.name);
        return mistake === undefined ? each : { ...each, mistake };
      }),
    hasCallerLogins: () => [...good.values()].some(({ auth }) => auth === 'user'),
    async close() {
      stopWatching();
      await upstreams.close();
    },
  };
}

/** A message, and "it" as the subject of what follows from it. */
function withEnd(message: string): string {
  return message.endsWith('?') ? `${message} It` : `${message}; it`;
}

function describe(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.join(', ')}`];
}

/** Calls back after a file has changed. Folders are watched, since editors replace files. */
function watchFiles(paths: readonly string[], reload: () => Promise<void>, note: (text: string) => void): () => void {
  const watchers: FSWatcher[] = [];
  let due: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();
  for (const { folder, name } of paths.map(folderOf)) {
    try {
      const watcher = watch(folder, { persistent: false }, (_, changed) => {
        if (changed !== null && changed !== name) return;
        clearTimeout(due);
        due = setTimeout(() => {
          reading = reading.then(reload);
        }, debounceMs);
      });
      watcher.on('error', (error) => note(`${folder} is no longer watched: ${error.message}`));
      watchers.push(watcher);
    } catch {
      // A client that is not installed has no folder.
    }
  }
  return () => {
    clearTimeout(due);
    for (const watcher of watchers) watcher.close();
  };
}

/** The only file that a command line names. */
export function onlyFile(positionals: readonly string[]): string | undefined {
  const [file, another] = positionals;
  if (another !== undefined) throw new UsageError(`unexpected argument: ${another}`);
  return file;
}
