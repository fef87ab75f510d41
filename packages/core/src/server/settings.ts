import { checkLimits, limits } from '../limits.ts';
import { privateCache } from '../protocol/results.ts';
import type { EngineOptions } from './options.ts';

/** The limits of a server, and the cache hints of its lists: its options with their defaults. */
export type ServerSettings = Readonly<
  Required<Pick<EngineOptions, 'cache' | 'pageSize' | 'maxRunning' | 'handlerTimeoutMs' | 'maxResult'>>
>;

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

function validateMaxResult(length: number): number {
  if (typeof length === 'number' && length > 0) return length;
  throw new TypeError('maxResult must be a number of characters above 0, or Infinity for no limit');
}

/** Validates the time limit of an author. Throws a `TypeError` if it is invalid. */
export function validateTimeLimit(option: string, ms: number): number {
  if (typeof ms === 'number' && ms > 0) return ms;
  throw new TypeError(`${option} must be a number of milliseconds above 0, or Infinity for no limit`);
}
