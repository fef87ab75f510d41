import { tellFailure, type Told } from '../command/report-failure.ts';
import type { World } from '../util/environment.ts';

/** Runs a command and turns what goes wrong into words and an exit code. */
export async function run(told: Told, world: World, act: () => number | Promise<number>): Promise<number> {
  try {
    return await act();
  } catch (error) {
    return tellFailure(error, told, world.tell);
  }
}
