import { join } from 'node:path';
import type { PageSettings, PageSettingsStore } from '@ccmcp/inspector';
import { maskText } from '@ccmcp/core/audit';
import {
  type PrivateFolder,
  privateFolder,
  type Platform,
  stateFolder,
  thisPlatform,
} from '../system/private-folder.ts';

/** The maximum number of recently inspected servers. */
const most = 8;
const lastFile = 'last.json';
const pageSettingsFile = 'look.json';

/** Recently inspected servers, the newest first. */
export interface RecentServers {
  /** The servers that are valid in this folder. */
  list(): Promise<readonly string[]>;
  /** Stores a target as typed, unless it looks like a secret. Write errors are ignored. */
  add(typed: string): Promise<void>;
}

interface RecentServer {
  readonly typed: string;
  /** The folder where it was typed: files and commands mean something else in other folders. */
  readonly folder?: string;
}

/** The recent servers of this user. Without a readable file there are none. */
export function recentServers(folder = process.cwd(), at?: Platform): RecentServers {
  const place = inspectorFolder(at);
  const read = async (): Promise<readonly RecentServer[]> => {
    try {
      const { last } = JSON.parse((await place.read(lastFile)) ?? '{}') as { last?: unknown };
      return Array.isArray(last) ? last.filter(isRecentServer) : [];
    } catch {
      return [];
    }
  };
  let adding: Promise<void> = Promise.resolve();
  const add = async (typed: string): Promise<void> => {
    const added: RecentServer = /^https?:/i.test(typed) ? { typed } : { typed, folder };
    const others = (await read()).filter((kept) => kept.typed !== typed || kept.folder !== added.folder);
    await place.write(lastFile, `${JSON.stringify({ format: 1, last: [added, ...others].slice(0, most) })}\n`);
  };
  return {
    list: async () =>
      (await read()).filter((kept) => kept.folder === undefined || kept.folder === folder).map(({ typed }) => typed),
    add(typed) {
      if (maskText(typed) !== typed) return Promise.resolve();
      adding = adding.then(() => add(typed)).catch(() => {});
      return adding;
    },
  };
}

function isRecentServer(value: unknown): value is RecentServer {
  const { typed, folder } = Object(value) as Record<string, unknown>;
  return typeof typed === 'string' && (folder === undefined || typeof folder === 'string');
}

/** The state folder of the inspector. `CCMCP_INSPECTOR` names another one. */
function inspectorFolder({ env, platform }: Platform = thisPlatform): PrivateFolder {
  return privateFolder(env.CCMCP_INSPECTOR || join(stateFolder(env, platform), 'ccmcp', 'inspector'));
}

/** Stores the settings of the inspector page here: each inspector has another port, and browsers store by port. */
export async function pageSettingsStore(
  at?: Platform,
): Promise<PageSettingsStore & { save(settings: PageSettings): Promise<void> }> {
  const folder = inspectorFolder(at);
  let writing: Promise<void> = Promise.resolve();
  return {
    saved: await folder
      .read(pageSettingsFile)
      .then((text) => JSON.parse(text ?? '{}') as unknown)
      .catch(() => ({})),
    save(settings) {
      writing = writing.then(() => folder.write(pageSettingsFile, `${JSON.stringify(settings)}\n`)).catch(() => {});
      return writing;
    },
  };
}
