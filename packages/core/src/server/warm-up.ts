import { isWorkerd } from '../runtime/kind.ts';
import { unref } from '../runtime/timers.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { loadValidatorAhead } from '../schema/validator.ts';
import type { Engine } from './engine.ts';

/** Delay in milliseconds: a client that calls immediately has called by then, and does not wait for the warm-up. */
const QUIET = 15;
/** Maximum time slice in milliseconds, plus one schema: a call waits no longer for its turn. */
const SLICE = 2;
/** Maximum number of tools to warm up: with very many, most are never called. */
const MOST = 100;

/**
 * Loads the validator and compiles schemas in a quiet moment after the next response, if the fast path can't decide about
 * one. For long-lived transports; returns the function that cancels it. Not in workerd, which has no idle time between requests.
 */
export function warmUpAfterAnswer(server: Engine): () => void {
  if (isWorkerd) return () => {};
  let timer: NodeJS.Timeout | undefined;
  const warmUp = (): void => {
    server.warmUp = undefined;
    if (firstSchemas(server, 1).length > 0) timer = unref(setTimeout(() => void loadAhead(server), QUIET));
  };
  server.warmUp = warmUp;
  return () => {
    if (server.warmUp === warmUp) server.warmUp = undefined;
    clearTimeout(timer);
  };
}

async function loadAhead(server: Engine): Promise<void> {
  const schemas = firstSchemas(server, MOST);
  // The validator would take as long as all that was loaded before it.
  if (schemas.every(({ isFast }) => isFast)) return;
  try {
    await loadValidatorAhead();
  } catch {
    // A call that needs it loads it again, and reports the error.
    return;
  }
  let began = performance.now();
  for (const schema of schemas) {
    if (performance.now() - began > SLICE) {
      await new Promise((resolve) => unref(setTimeout(resolve, 1)));
      began = performance.now();
    }
    schema.compileAhead();
  }
}

/** The schemas that the validator checks. */
function firstSchemas({ catalog: { tools } }: Engine, count: number): CompiledSchema[] {
  const found: CompiledSchema[] = [];
  for (const { input, output } of tools.entries.values()) {
    if (input?.needsValidator === true) found.push(input);
    if (output?.needsValidator === true) found.push(output);
    if (found.length >= count) break;
  }
  return found;
}
