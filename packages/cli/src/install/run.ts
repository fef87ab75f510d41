import { Misuse } from '../misuse.ts';
import type { World } from './world.ts';

/** Runs a command and turns what goes wrong into words and an exit code. */
export async function run(name: string, world: World, act: () => number | Promise<number>): Promise<number> {
  try {
    return await act();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    world.tell(`ccmcp: ${message}\n`);
    if (!(error instanceof Misuse)) return 1;
    world.tell(`Try "ccmcp ${name} --help".\n`);
    return 2;
  }
}
