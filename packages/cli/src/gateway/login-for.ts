import type { HttpAuth } from '@ccmcp/core/client';

/**
 * Authorizes requests to an upstream with its stored login, also one that is stored later, and refreshes it. The
 * caller's credentials are not used.
 */
export function loginFor(url: URL, note: (text: string) => void): HttpAuth {
  let found: Promise<HttpAuth | undefined> | undefined;
  const find = async (): Promise<HttpAuth | undefined> => {
    const { signIn } = await import('../client/sign-in/sign-in.ts');
    return signIn({ output: { note }, url, attended: false });
  };
  return {
    async headers(request) {
      found ??= find();
      const auth = await found;
      if (auth === undefined) found = undefined;
      return (await auth?.headers(request)) ?? {};
    },
    async unauthorized(response) {
      const auth = await (found ?? find());
      if (auth !== undefined) return auth.unauthorized(response);
      throw new Error(`It wants a login, and none is stored for it: ccmcp login ${url.href}`);
    },
  };
}
