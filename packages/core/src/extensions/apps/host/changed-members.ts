import type { HostContext } from './options.ts';

/** The members of a context that are different now; undefined where none is. */
export function changedMembers(before: HostContext, now: HostContext): HostContext | undefined {
  const changed = Object.entries(now).filter(([name, value]) => before[name] !== value);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
