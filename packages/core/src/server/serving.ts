import { Call } from './call/call.ts';
import { contextOf } from './call/operation-context.ts';
import { StateSeal } from './call/request-state.ts';
import { offers } from './lists/offers.ts';
import { composePipeline } from './pipeline/pipeline.ts';
import { replay } from './pipeline/replay.ts';

/** The modules that serve requests. Loaded lazily: a handshake does not need them. */
export const serving = { Call, StateSeal, composePipeline, contextOf, offers, replay };

/** The same, as a type. */
export type Serving = typeof serving;

/** Loads the modules that serve requests. */
export interface ServingLoader {
  /** Undefined until it is loaded. */
  readonly loaded: Serving | undefined;
  load(): Promise<Serving>;
}
