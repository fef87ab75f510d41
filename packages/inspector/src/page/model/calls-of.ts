import type { Call, World } from './world.ts';

/** The calls that the page made of one thing, oldest first. */
export function callsOf({ calls }: World, connection: string, method: string, subject: string): readonly Call[] {
  const found: Call[] = [];
  for (const call of calls.values()) {
    const { start } = call;
    if (start.by === 'page' && start.connection === connection && start.method === method && start.subject === subject)
      found.push(call);
  }
  return found;
}
