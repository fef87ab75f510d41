import type { Auth } from '@ccmcp/core';
import type { HttpAuth } from '@ccmcp/core/client';

/** Credentials per caller for an upstream. */
export interface CallerCredentials {
  /** Authorizes requests for a caller. Called once per active caller; undefined: no credentials are possible. */
  authFor(caller: Auth): HttpAuth | undefined;
}
