import { invalidParams } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import { type Implementation, infoError } from '../protocol/identity.ts';
import { isLogLevel, logLevels } from '../protocol/logging.ts';
import { type Meta, MetaKey } from '../protocol/meta.ts';
import type { Caller, Mode, Revision } from './revision.ts';

/** The stateless era: every request describes its sender, and the server remembers nothing. */
export const stateless: Required<Mode> = {
  era: 'stateless',
  asksBy: 'result',
  addEraFields(result, { caches, serverMeta, cache }) {
    const _meta = result._meta === undefined ? serverMeta : { ...result._meta, ...serverMeta };
    if (caches && result.resultType === undefined) {
      return { resultType: 'complete', ttlMs: cache.ttlMs, cacheScope: cache.scope, ...result, _meta };
    }
    // Tool results get a separate spread: one that has seen many object shapes is slow for all of them.
    if (result.isError !== undefined) return { resultType: 'complete', ...result, _meta };
    // A spread in second place costs a twentieth of one in first place.
    return { resultType: 'complete', ...result, _meta };
  },
  address(params, { version, capabilities, clientInfo, logLevel }) {
    // `Object.assign`, because a spread followed by members costs six times as much.
    const _meta: Meta = Object.assign({}, params?._meta);
    _meta[MetaKey.protocolVersion] = version;
    _meta[MetaKey.clientCapabilities] = capabilities;
    _meta[MetaKey.clientInfo] = clientInfo;
    if (logLevel !== undefined) _meta[MetaKey.logLevel] ??= logLevel;
    const addressed: Params = Object.assign({}, params);
    addressed._meta = _meta;
    return addressed;
  },
  outcome({ resultType = 'complete' }) {
    return resultType === 'complete' || resultType === 'input_required' ? resultType : 'unknown';
  },
};

const capabilitiesName = `_meta["${MetaKey.clientCapabilities}"]`;
const infoName = `_meta["${MetaKey.clientInfo}"]`;

/** Reads the sender of a request from its `_meta`. */
export function readSender(revision: Revision, meta: Meta): Caller {
  const capabilities = meta[MetaKey.clientCapabilities];
  if (!isObject(capabilities)) {
    throw invalidParams(`Missing or malformed ${capabilitiesName}: an object is required`);
  }
  const clientInfo = meta[MetaKey.clientInfo];
  const { name = '', version = '' } = isObject(clientInfo)
    ? clientInfo
    : { name: clientInfo === undefined ? '' : null };
  if (typeof name !== 'string' || typeof version !== 'string') throw infoError(infoName);
  const logLevel = meta[MetaKey.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw invalidParams(`Unknown log level in _meta["${MetaKey.logLevel}"]: use one of ${logLevels.join(', ')}`);
  }
  return {
    revision,
    capabilities,
    clientInfo: clientInfo as Implementation | undefined,
    logLevel,
  };
}
