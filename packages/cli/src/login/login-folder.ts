import { join } from 'node:path';
import { stateFolder } from '../util/state-folder.ts';

/** Where this runs, and for whom. */
export interface Platform {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

/** The place of this process. */
export const thisPlatform: Platform = { env: process.env, platform: process.platform };

/** The folder of logins. `CCMCP_LOGINS` names another one. */
export function loginFolder({ env, platform }: Platform): string {
  return env.CCMCP_LOGINS || join(stateFolder(env, platform), 'ccmcp', 'logins');
}
