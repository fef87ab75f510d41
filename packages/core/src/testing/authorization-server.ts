import type { AuthorizationServerOptions } from './authorization-server/settings.ts';
import type { TestAuthorizationServer } from './authorization-server/test-server.ts';

/**
 * Starts an authorization server for tests on this machine: real HTTP, keys of its own, and tokens with any fault that a
 * protected server must notice.
 */
export async function authorizationServer(options: AuthorizationServerOptions = {}): Promise<TestAuthorizationServer> {
  // Loaded when it is wanted: most tests are of servers that want no tokens.
  const { start } = await import('./authorization-server/start.ts');
  return start(options);
}
