import { inWorkers } from '../runtime/kind.ts';
import { unref } from '../runtime/timers.ts';
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
 * Lets a server load and make what calls will need: in a quiet moment after its next answer, and not where no tool needs it.
 * For transports that last; returns a function that calls it off. Not in workerd, where there is no moment between requests.
 */
export function warmUpAfterAnswer(server: Engine): () => void {
  if (inWorkers) return () => {};
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
  try {
    await loadValidatorAhead();
  } catch {
    // A call that needs it loads it again, and reports the error.
    return;
  }
  let began = performance.now();
  for (const schema of firstSchemas(server, MOST)) {
    if (performance.now() - began > SLICE) {
      await new Promise((resolve) => unref(setTimeout(resolve, 1)));
      began = performance.now();
    }
    schema.compileAhead();
  }
}

/** The schemas that need the validator. */
function firstSchemas({ catalog: { tools } }: Engine, count: number): CompiledSchema[] {
  const found: CompiledSchema[] = [];
  for (const { input, output } of tools.entries.values()) {
    if (input?.needsValidator === true) found.push(input);
    if (output?.needsValidator === true) found.push(output);
    if (found.length >= count) break;
  }
  return found;
}
