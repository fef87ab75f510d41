import { homedir } from 'node:os';
import { join } from 'node:path';

/** The platform that a command runs on. */
export interface Platform {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

/** The platform of this process. */
export const thisPlatform: Platform = { env: process.env, platform: process.platform };

/** The folder where programs store state between runs. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
}
