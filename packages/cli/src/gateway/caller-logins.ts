import type { Auth } from '@ccmcp/core';
import type { TokenStore } from '@ccmcp/core/client';
import { openLoginStore } from '../client/sign-in/login-store.ts';

/**
 * Stores the logins of a gateway's callers as `ccmcp login` stores those of a user, separately per caller. Warns once.
 */
export function callerLogins(note: (text: string) => void): (caller: Auth) => TokenStore {
  let isWarned = false;
  return ({ principal }) => {
    const logins = openLoginStore(undefined, undefined, principal);
    return {
      get: (key) => logins.get(key),
      async set(key, grant) {
        const warning = await logins.set(key, grant, { url: key.resource });
        if (warning !== undefined && !isWarned) note(`Warning: ${warning}`);
        isWarned ||= warning !== undefined;
      },
      delete: (key) => logins.delete(key),
      exclusively: (key, act) => logins.exclusively(key, act),
    };
  };
}
