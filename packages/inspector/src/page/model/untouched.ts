import type { World } from './world.ts';

/** Whether nothing has been connected to yet: then there is no timeline to look at. */
export function isUntouched({ connections, timeline }: World): boolean {
  return connections.size === 0 && timeline.length === 0;
}
