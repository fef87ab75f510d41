import { stringField, stringListField } from '../../json-fields.ts';
import type { NamedCaller, OAuthClaims, OAuthOptions } from './options.ts';

/** Options of `oauth` for one provider. */
export type Preset = Pick<OAuthOptions, 'issuer' | 'audience' | 'principal' | 'algorithms'>;

/**
 * Options for providers whose tokens deviate from the standards, such as `oauth({ ...presets.auth0({ domain:
 * 'example.eu.auth0.com', audience: 'https://api.example.com/mcp' }), scopes: ['read'] })`.
 */
export const presets = {
  /** A realm of Keycloak. Without `audience`, a protocol mapper must add the URL of this server to `aud`. */
  keycloak: ({ url, realm, audience }: { url: string; realm: string; audience?: string }): Preset => ({
    issuer: `${addressOf('keycloak: url', url)}/realms/${requireText('keycloak: realm', realm)}`,
    ...(audience !== undefined && { audience }),
  }),

  /** A tenant of Auth0. The audience is the identifier of the API; permissions (RBAC) count as scopes. */
  auth0: ({ domain, audience }: { domain: string; audience: string }): Preset => ({
    // The trailing slash is part of the issuer.
    issuer: `https://${hostOf('auth0: domain', domain)}/`,
    audience: requireText('auth0: audience', audience),
    principal: (claims) => ({ scopes: [...scopesOf(claims), ...(stringListField(claims, 'permissions') ?? [])] }),
  }),

  /** An authorization server of Okta: `default`, unless it is named. */
  okta: ({
    domain,
    server = 'default',
    audience = 'api://default',
  }: {
    domain: string;
    server?: string;
    audience?: string;
  }): Preset => ({
    issuer: `https://${hostOf('okta: domain', domain)}/oauth2/${requireText('okta: server', server)}`,
    audience,
  }),

  /**
   * An application of Microsoft Entra. Clients request scopes such as `api://CLIENT_ID/read`, tokens contain `read`:
   * both count, and so do the roles of programs without a user. Version 1 is the default of an application's manifest.
   */
  entra: ({
    tenant,
    clientId,
    version = 2,
    audience,
  }: {
    /** The id of the directory, not a name such as `common`. */
    tenant: string;
    clientId: string;
    version?: 1 | 2;
    /** The application ID URI, if it is not `api://CLIENT_ID`. */
    audience?: string;
  }): Preset => {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenant)) {
      throw new TypeError(
        'presets.entra: "tenant" must be the id of the directory: tokens of "common" name another issuer',
      );
    }
    const uri = audience ?? `api://${requireText('entra: clientId', clientId)}`;
    return {
      issuer: version === 2 ? `https://login.microsoftonline.com/${tenant}/v2.0` : `https://sts.windows.net/${tenant}/`,
      audience: [clientId, uri],
      principal: (claims) => {
        const scopes = claims.scp === undefined ? (stringListField(claims, 'roles') ?? []) : scopesOf(claims);
        return { scopes: [...scopes, ...scopes.map((scope) => `${uri}/${scope}`)] };
      },
    };
  },

  /** A user pool of Amazon Cognito. Its access tokens have an audience (`aud`) only if clients request a resource. */
  cognito: ({ region, userPoolId, audience }: { region: string; userPoolId: string; audience?: string }): Preset => ({
    issuer: `https://cognito-idp.${requireText('cognito: region', region)}.amazonaws.com/${requireText('cognito: userPoolId', userPoolId)}`,
    ...(audience !== undefined && { audience }),
    principal: (claims) => (claims.token_use === 'access' ? {} : undefined),
  }),

  /**
   * Service accounts of Google, by ID tokens whose audience is the URL of this server. Anybody can have such an
   * account, so `callers` lists those that may call. Access tokens of Google are valid at Google only.
   */
  google: ({ callers, scopes = [] }: { callers: readonly string[]; scopes?: readonly string[] }): Preset => {
    if (callers.length === 0) throw new TypeError('presets.google: "callers" must name the accounts that may call');
    return {
      issuer: 'https://accounts.google.com',
      principal: (claims) => {
        const email = stringField(claims, 'email');
        const isKnown = email !== undefined && claims.email_verified === true && callers.includes(email);
        return isKnown ? { scopes } : undefined;
      },
    };
  },

  /** AuthKit of WorkOS. The URL of this server must be a resource indicator there; permissions count as scopes. */
  workos: ({ domain, audience }: { domain: string; audience?: string }): Preset => ({
    issuer: `https://${hostOf('workos: domain', domain)}`,
    ...(audience !== undefined && { audience }),
    principal: (claims) => ({ scopes: [...scopesOf(claims), ...(stringListField(claims, 'permissions') ?? [])] }),
  }),

  /** An application with better-auth, by the URL of its routes, such as `https://app.example.com/api/auth`. */
  betterAuth: ({ url, audience }: { url: string; audience?: string }): Preset => ({
    issuer: addressOf('betterAuth: url', url),
    ...(audience !== undefined && { audience }),
  }),
} as const satisfies Record<string, (options: never) => Preset>;

/** The scopes in their usual claims: the result of `principal` replaces the default. */
function scopesOf(claims: OAuthClaims): NonNullable<NonNullable<NamedCaller>['scopes']> {
  const text = stringField(claims, 'scope') ?? stringField(claims, 'scp');
  return text?.split(' ').filter((scope) => scope !== '') ?? stringListField(claims, 'scp') ?? [];
}

function hostOf(what: string, text: string): string {
  const host = text.replace(/^https:\/\//i, '').replace(/\/$/, '');
  if (/^[a-z0-9.-]+(?::\d+)?$/i.test(host)) return host.toLowerCase();
  throw new TypeError(`presets.${what} must be a host name, such as login.example.com`);
}

function addressOf(what: string, text: string): string {
  if (URL.canParse(text) && !/[?#]/.test(text)) return text.replace(/\/$/, '');
  throw new TypeError(`presets.${what} must be a URL, such as https://login.example.com`);
}

function requireText(what: string, text: string): string {
  if (typeof text === 'string' && text !== '') return text;
  throw new TypeError(`presets.${what} is missing`);
}
