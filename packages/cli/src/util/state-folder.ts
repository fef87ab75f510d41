import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for what programs remember of their user between runs. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
}
