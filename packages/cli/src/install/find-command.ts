import { accessSync, constants } from 'node:fs';
import { posix, resolve, win32 } from 'node:path';
import { isRegularFile } from './config-file/regular-file.ts';
import type { Location } from '../util/environment.ts';

/** Finds the program that a command names, as an operating system would; throws in words if there is none. */
export function findCommand(command: string, place: Location): string {
  const isWindows = place.platform === 'win32';
  if (command.includes('/') || (isWindows && command.includes('\\'))) {
    const path = resolve(place.cwd, command);
    const found = endings(place).find((ending) => isProgram(path + ending, place));
    if (found !== undefined) return path + found;
    throw new Error(isRegularFile(path) ? `${command} is there but may not be run` : `${command} does not exist`);
  }
  const { delimiter, isAbsolute, join } = isWindows ? win32 : posix;
  // A relative folder is one of the working directory, which may be a stranger's.
  for (const folder of (place.env.PATH ?? '').split(delimiter).filter((each) => isAbsolute(each))) {
    for (const ending of endings(place)) {
      const path = join(folder, command + ending);
      if (isProgram(path, place)) return path;
    }
  }
  throw new Error(
    `the command "${command}" is not on the PATH; write its full path, since clients often have a shorter PATH than a shell`,
  );
}

function endings({ platform, env }: Location): string[] {
  return platform === 'win32' ? ['', ...(env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
}

function isProgram(path: string, { platform }: Location): boolean {
  if (!isRegularFile(path)) return false;
  try {
    accessSync(path, platform === 'win32' ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
