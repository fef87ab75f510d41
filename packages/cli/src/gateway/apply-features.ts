import { isDeepStrictEqual } from 'node:util';
import type { Middleware, Server } from '@ccmcp/core';
import type { GatewayFeatures } from './file-features.ts';

/** Switches features of a gateway on and off while it serves. */
export interface FeatureSwitch {
  /** True if something has changed. A feature that can't be switched on is reported, and stays off. */
  apply(features: GatewayFeatures): Promise<boolean>;
}

/** How the middleware of each feature is made, the innermost first: names are adapted after all others have run. */
const makers: {
  readonly [K in keyof Required<GatewayFeatures>]: (options: Required<GatewayFeatures>[K]) => Promise<Middleware>;
} = {
  resultBudget: async (options) => (await import('@ccmcp/core/result-budget')).resultBudget(options),
  toolSearch: async (options) => (await import('@ccmcp/core/tool-search')).toolSearch(options),
  adaptToClient: async (options) => (await import('@ccmcp/core/client-quirks')).adaptToClient(options),
};

const names = Object.keys(makers) as (keyof GatewayFeatures)[];

/** Sets the middleware that is on; undefined: none. */
type SetActive = (active: Middleware | undefined) => void;

/** Makes the switch of a server. What was never on costs its calls nothing. */
export function featureSwitch(server: Server): FeatureSwitch {
  let current: GatewayFeatures = {};
  let used: ReadonlyMap<keyof GatewayFeatures, SetActive> | undefined;

  const change = async <K extends keyof GatewayFeatures>(name: K, options: GatewayFeatures[K]): Promise<void> => {
    // All at once: those that are added later would run outside of the others.
    used ??= new Map(names.map((each) => [each, addSwitched(server)]));
    used.get(name)?.(undefined);
    if (options === undefined) return;
    try {
      used.get(name)?.(await makers[name](options));
    } catch (error) {
      server.reportError(`"${name}" can't be switched on`, error);
    }
  };
  return {
    async apply(features) {
      const changed = names.filter((name) => !isDeepStrictEqual(features[name], current[name]));
      for (const name of changed) await change(name, features[name]);
      current = features;
      if (changed.length > 0) server.tools.changed();
      return changed.length > 0;
    },
  };
}

/** Adds middleware to a server that does nothing until something is set. */
function addSwitched(server: Server): SetActive {
  let active: Middleware | undefined;
  const installed: (() => void)[] = [];
  const middleware: Middleware = (operation, next) => (active === undefined ? next() : active(operation, next));
  middleware.rewrite = (method, params, request) => active?.rewrite?.(method, params, request) ?? params;
  server.use(middleware);
  return (next) => {
    active = undefined;
    for (const remove of installed.splice(0)) remove();
    next?.install?.({
      info: server.info,
      tools: {
        add(tool) {
          server.tools.add(tool);
          installed.push(() => server.tools.remove(tool.name));
        },
      },
      templates: {
        add(template) {
          server.templates.add(template);
          installed.push(() => server.templates.remove(template.uriTemplate));
        },
      },
    });
    active = next;
  };
}
