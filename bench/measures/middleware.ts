import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Bench, withTimeout } from '../bench.ts';
import { start } from '../child.ts';
import { budgetName, callToolName, directName, ours } from '../subjects.ts';

/** Two processes with the same code differ in speed, so several are measured. */
const processes = 6;
const turnsPerProcess = 30;

const subjects = { plain: ours, budget: budgetName, direct: directName, callTool: callToolName };

/** The cost of a result budget that is not reached, and of a call through `call_tool`. */
export async function measureMiddleware({ folder, samples }: Bench): Promise<void> {
  for (let each = 0; each < processes; each++) {
    const child = start([join(folder, 'peers/ccmcp/middleware.mjs'), String(turnsPerProcess)]);
    const output = await withTimeout('calls with middleware', text(child.stdout));
    const turns = JSON.parse(output) as Record<keyof typeof subjects, number>[];
    for (const [index, turn] of turns.entries()) {
      const sample = { measure: 'middleware', round: each * turnsPerProcess + index };
      for (const [name, subject] of Object.entries(subjects)) {
        samples.add({ ...sample, subject, values: { cpuUs: turn[name as keyof typeof subjects] } });
      }
    }
  }
}
