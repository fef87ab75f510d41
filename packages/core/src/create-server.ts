import { Idempotency, type IdempotencyOptions } from './features/idempotency/idempotency.ts';
import { servingLoader } from './features/load-serving.ts';
import { rateSpec } from './features/rate-limit/rate-spec.ts';
import { toolRateLimit } from './features/rate-limit/tool-rate-limit.ts';
import type { ScopeAccess } from './features/scopes/scope-access.ts';
import { ScopeRules } from './features/scopes/scope-rules.ts';
import type { FeatureServing } from './features/serving.ts';
import type { RateLimit } from './server/define/feature-options.ts';
import { Engine } from './server/engine.ts';
import type { EngineOptions } from './server/options.ts';
import { engineOf, serverOf } from './server/server-handle.ts';
import type { Server } from './server/server.ts';

/** The options of a server: those of the kernel, and those of features. */
export interface ServerOptions extends EngineOptions {
  /** The content of lists: everything (default), or only items that the caller has the scopes for. */
  lists?: 'all' | 'by-scope';
  /** How often one caller may send requests, `ping` aside. Default: unlimited. */
  rateLimit?: RateLimit;
  /**
   * How answers are remembered to calls of tools that carry an idempotency key; false: keys mean nothing. Default: for 10
   * minutes.
   */
  idempotency?: IdempotencyOptions | false;
}

/** Creates a server from what it offers. It serves any number of connections, over any transports, at the same time. */
export function createServer(options: ServerOptions): Server {
  const rules = new ScopeRules(options?.lists);
  const rates = rateSpec(options?.rateLimit, { name: 'server', key: options?.name ?? '' });
  const idempotency = options?.idempotency === false ? undefined : new Idempotency(options?.idempotency);
  let made: ScopeAccess | undefined;
  const access = (): ScopeAccess => {
    made ??= (servingLoader.loaded as FeatureServing).createAccess(rules);
    return made;
  };
  const engine = new Engine(options, {
    rules,
    access,
    serving: servingLoader,
    features: () => servingLoader.loaded?.features({ access: access(), rates, idempotency }) ?? [],
    countsHandshakes: rates !== undefined,
    beforeTool: toolRateLimit,
    engineOf,
  });
  const server = serverOf(engine);
  for (const { around, install } of engine.extensions.all) {
    if (around !== undefined) engine.use(around);
    install?.(server);
  }
  return server;
}
