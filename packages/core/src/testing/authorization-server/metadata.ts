import { type Books, issuerOf } from './books.ts';
import { laidOver } from './jwt.ts';
import type { MetadataForm } from './settings.ts';

/** What the server says of itself. */
export function metadataOf(books: Books): Record<string, unknown> {
  const { origin, settings, keys } = books;
  const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  return laidOver(
    {
      issuer: issuerOf(books),
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      introspection_endpoint: `${origin}/introspect`,
      jwks_uri: `${origin}/jwks`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: algorithms,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods.slice(1),
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      ...(settings.dpop === 'off' ? {} : { dpop_signing_alg_values_supported: ['ES256', 'ES384', 'EdDSA', 'RS256'] }),
    },
    settings.metadata,
  );
}

/** The paths at which it says so. */
export function metadataPaths({ settings }: Books): string[] {
  const { path = '', metadataAt = ['oauth', 'openid', 'openid-appended'] } = settings;
  const places: Readonly<Record<MetadataForm, string>> = {
    oauth: `/.well-known/oauth-authorization-server${path}`,
    openid: `/.well-known/openid-configuration${path}`,
    'openid-appended': `${path}/.well-known/openid-configuration`,
  };
  return metadataAt.map((at) => (at.startsWith('/') ? at : places[at as MetadataForm]));
}
