import { join } from 'node:path';
import { stateFolder } from '../util/state-folder.ts';

/** Where this runs, and for whom. */
export interface LoginPlace {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

/** The place of this process. */
export const here: LoginPlace = { env: process.env, platform: process.platform };

/** The folder of logins. `CCMCP_LOGINS` names another one. */
export function loginFolder({ env, platform }: LoginPlace): string {
  return env.CCMCP_LOGINS || join(stateFolder(env, platform), 'ccmcp', 'logins');
}
