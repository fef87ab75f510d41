import { HandlerTimeouts } from './call/timeout.ts';
import { ToolDigest } from './define/tool-digest.ts';
import { composePipeline } from './pipeline/pipeline.ts';
import { replay } from './pipeline/replay.ts';

/** Serves requests. Loaded late: a handshake does not need it. */
export const serving = { HandlerTimeouts, ToolDigest, composePipeline, replay };

/** The same, as a type. */
export type Serving = typeof serving;

/** Loads the modules that serve requests. */
export interface ServingLoader {
  /** Undefined until it is loaded. */
  readonly loaded: Serving | undefined;
  load(): Promise<Serving>;
}
