import type { AuthorizationServerOptions } from './authorization-server/settings.ts';
import type { TestAuthorizationServer } from './authorization-server/test-server.ts';

/**
 * Starts an authorization server for tests on this machine: real HTTP, real keys, and tokens with any fault that a
 * protected server must detect.
 */
export async function authorizationServer(options: AuthorizationServerOptions = {}): Promise<TestAuthorizationServer> {
  // Lazy, because most tests need no tokens.
  const { start } = await import('./authorization-server/start.ts');
  return start(options);
}
