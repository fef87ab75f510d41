import { checkLimits, limits } from '../limits.ts';
import { type CacheHints, privateCache } from '../protocol/results.ts';
import { validateMaxResult } from './call/result-size.ts';
import { validateTimeLimit } from './call/timeout.ts';
import type { EngineOptions } from './options.ts';

/** The limits of a server, and the cache hints of its lists: its options with their defaults. */
export interface ServerSettings {
  readonly cache: CacheHints;
  readonly pageSize: number;
  readonly maxRunning: number;
  readonly handlerTimeoutMs: number;
  readonly maxResult: number;
}

/** Resolves the settings of a server. Throws a `TypeError` if one is out of range. */
export function resolveSettings(options: EngineOptions): ServerSettings {
  const { handlerTimeoutMs = limits.server.handlerTimeoutMs.value } = options;
  const settings = {
    cache: options.cache ?? privateCache(0),
    pageSize: options.pageSize ?? limits.server.pageSize.value,
    maxRunning: options.maxRunning ?? limits.server.maxRunning.value,
    handlerTimeoutMs: validateTimeLimit('handlerTimeoutMs', handlerTimeoutMs),
    maxResult: validateMaxResult(options.maxResult ?? limits.server.maxResult.value),
  };
  checkLimits('createServer', options);
  return settings;
}
