import { isDeepStrictEqual } from 'node:util';
import type { Middleware, Server } from '@ccmcp/core';
import type { GatewayFeatures } from './file-features.ts';

/** Switches features of a gateway on and off while it serves. */
export interface FeatureSwitch {
  /** True if something has changed. */
  apply(features: GatewayFeatures): Promise<boolean>;
}

/** Makes the switch of a server. What was never on costs its calls nothing. */
export function featureSwitch(server: Server): FeatureSwitch {
  let current: GatewayFeatures = {};
  let active: Middleware | undefined;
  let isUsed = false;
  const switched: Middleware = (operation, next) => (active === undefined ? next() : active(operation, next));
  switched.rewrite = (method, params) => active?.rewrite?.(method, params) ?? params;
  return {
    async apply(features) {
      if (isDeepStrictEqual(features, current)) return false;
      current = features;
      active = features.toolSearch && (await import('@ccmcp/core/tool-search')).toolSearch(features.toolSearch);
      if (!isUsed && active !== undefined) {
        isUsed = true;
        server.use(switched);
      }
      server.tools.changed();
      return true;
    },
  };
}
