import { inWorkers } from '../runtime/kind.ts';
import { letEnd } from '../runtime/timers.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { loadValidatorAhead } from '../schema/validator.ts';
import type { Engine } from './engine.ts';

/** A client that calls as soon as it can has called by then, and is not kept waiting. In milliseconds. */
const QUIET = 15;
/** A call that comes meanwhile waits no longer than this for its turn, in milliseconds, and one schema. */
const SLICE = 2;
/** Of a server with very many tools, most are never called. */
const MOST = 100;

/**
 * Called with the first answer of a server: in the next quiet moment, what the first call needs is loaded and made, unless
 * no tool needs it. Not in workerd, where there is no moment between requests.
 */
export function warmUp(server: Engine): void {
  server.warm = true;
  if (!inWorkers && firstSchemas(server, 1).length > 0) letEnd(setTimeout(() => void loadAhead(server), QUIET));
}

async function loadAhead(server: Engine): Promise<void> {
  try {
    await loadValidatorAhead();
  } catch {
    // A call that needs it tries again, and its answer says what is wrong.
    return;
  }
  let began = performance.now();
  for (const schema of firstSchemas(server, MOST)) {
    if (performance.now() - began > SLICE) {
      await new Promise((resolve) => letEnd(setTimeout(resolve, 1)));
      began = performance.now();
    }
    schema.compileAhead();
  }
}

/** The schemas that need the validator. */
function firstSchemas({ tools }: Engine, count: number): CompiledSchema[] {
  const found: CompiledSchema[] = [];
  for (const { input, output } of tools.entries()) {
    if (input?.needsValidator === true) found.push(input);
    if (output?.needsValidator === true) found.push(output);
    if (found.length >= count) break;
  }
  return found;
}
