import { AsyncLocalStorage } from 'node:async_hooks';
import type { HttpTap } from '@ccmcp/core/client';

/** Sees the requests of a probe, where somebody wants to show them. */
export const probeTap: AsyncLocalStorage<HttpTap> = new AsyncLocalStorage<HttpTap>();
