import { Idempotency, type IdempotencyOptions } from './features/idempotency/idempotency.ts';
import { servingLoader } from './features/load-serving.ts';
import { rateCounter } from './features/rate-limit/rate-counter.ts';
import { toolRateLimit } from './features/rate-limit/tool-rate-limit.ts';
import { ScopeAccess } from './features/scopes/scope-access.ts';
import type { RateLimit } from './server/define/feature-options.ts';
import { Engine } from './server/engine.ts';
import type { EngineOptions } from './server/options.ts';
import { engineOf, serverOf } from './server/server-handle.ts';
import type { Server } from './server/server.ts';

/** What a server is made of, and how it behaves: the options of the kernel, and those of features. */
export interface ServerOptions extends EngineOptions {
  /** What callers are shown in lists: everything (default), or what they have the scopes for. */
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
  const access = new ScopeAccess(options?.lists);
  const rates = rateCounter(options?.rateLimit, { name: 'server', key: options?.name ?? '' });
  const idempotency = options?.idempotency === false ? undefined : new Idempotency(options?.idempotency);
  const engine = new Engine(options, {
    access,
    serving: servingLoader,
    features: () => servingLoader.loaded?.features({ access, rates, idempotency }) ?? [],
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
