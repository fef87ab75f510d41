import type { ServingLoader } from '../server/serving.ts';
import type { FeatureServing } from './serving.ts';

let loading: Promise<FeatureServing> | undefined;

/** Loads what serves requests, once for all servers. */
export const servingLoader: ServingLoader & { loaded: FeatureServing | undefined } = {
  loaded: undefined,
  async load() {
    loading ??= import('./serving.ts').then(({ serving }) => serving);
    try {
      return provideServing(await loading);
    } catch (error) {
      loading = undefined;
      throw error;
    }
  },
};

/** For transports that have it at hand: nothing has to be loaded then. */
export function provideServing(serving: FeatureServing): FeatureServing {
  servingLoader.loaded = serving;
  return serving;
}
