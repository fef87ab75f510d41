import { AsyncLocalStorage } from 'node:async_hooks';

/** The call that is being made: what is sent meanwhile belongs to it. */
export const inCall: AsyncLocalStorage<string> = new AsyncLocalStorage<string>();
