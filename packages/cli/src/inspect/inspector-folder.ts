import { join } from 'node:path';
import { here, type LoginPlace } from '../login/folder.ts';
import { type PrivateFolder, privateFolder } from '../login/private-files.ts';
import { stateFolder } from '../state-folder.ts';

/** The folder with what the inspector remembers of this user from one time to the next. `CCMCP_INSPECTOR` names another one. */
export function inspectorFolder({ env, platform }: LoginPlace = here): PrivateFolder {
  return privateFolder(env.CCMCP_INSPECTOR || join(stateFolder(env, platform), 'ccmcp', 'inspector'));
}
