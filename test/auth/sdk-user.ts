import { browse } from './provider.ts';

/** The redirect URL of the provider; nothing listens there. */
export const redirectUrl = 'http://127.0.0.1:3000/callback';

/** An OAuth provider for the official clients: registers itself, signs in when redirected, and stores the tokens. */
export function sdkUser() {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; discovery?: unknown } = {};
  const user = {
    came: '',
    /** The scopes of each authorization request. */
    asked: [] as string[],
    redirectUrl,
    clientMetadata: {
      client_name: 'Interop',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (state: unknown) => void (kept.discovery = state),
    redirectToAuthorization: async (url: URL) => {
      user.asked.push(url.searchParams.get('scope') ?? '');
      user.came = await browse(url);
    },
  };
  return user;
}

/** Passes on the code that the provider returned: one SDK version takes all parameters, the other only the code. */
export async function finishAuth(
  transport: { finishAuth(came: never): Promise<void> },
  user: { came: string },
): Promise<void> {
  const { searchParams } = new URL(user.came);
  await transport
    .finishAuth(searchParams as never)
    .catch(() => transport.finishAuth(searchParams.get('code') as never));
}
