import { posix, win32 } from 'node:path';
import type { Place } from './world.ts';

/** Where programs with a window keep their settings. */
export function applicationSupport(place: Place): string {
  if (place.platform === 'win32') return place.env.APPDATA || join(place, place.home, 'AppData', 'Roaming');
  if (place.platform === 'darwin') return join(place, place.home, 'Library', 'Application Support');
  return configHome(place);
}

/** Where programs of Windows keep what stays on one machine. */
export function localApplicationData(place: Place): string {
  return place.env.LOCALAPPDATA || join(place, place.home, 'AppData', 'Local');
}

/** Where programs of a terminal keep their settings, and on Linux all others. */
export function configHome(place: Place): string {
  return place.env.XDG_CONFIG_HOME || join(place, place.home, '.config');
}

/** A path as the platform of the place writes it. */
export function join({ platform }: Place, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}
