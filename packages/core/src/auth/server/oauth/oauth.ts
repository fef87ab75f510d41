import { isWorkerd } from '../../../runtime/kind.ts';
import type { PublicDocument, Authenticator, CredentialsRequest } from '../authenticator.ts';
import { type OAuthEndpoint, type OAuthOptions, type OAuthSettings, readOptions } from './options.ts';
import { createRejections, type Rejections } from './rejections.ts';
import type { ResourceServer } from './resource-server.ts';

const resourceMetadataPath = '/.well-known/oauth-protected-resource';
const serverMetadataPath = '/.well-known/oauth-authorization-server';

/**
 * Authenticates callers by OAuth access tokens for this endpoint, whose public URL is the option `resource`. Everything
 * else is discovered from the issuer.
 */
export function oauth(options: OAuthOptions): Authenticator {
  const settings = readOptions(options);
  return {
    at(endpoint) {
      const { resource } = endpoint;
      if (resource === undefined) throw missingResource();
      return protect(settings, { ...endpoint, resource });
    },
    authenticate: () => {
      throw missingResource();
    },
  };
}

function missingResource(): TypeError {
  const what = 'the public address of the endpoint, such as https://api.example.com/mcp';
  return new TypeError(`oauth needs the option "resource" (--resource) beside "auth": ${what}`);
}

/**
 * Creates the authenticator of one endpoint. Loads the token checks lazily, so that servers without OAuth do not pay
 * for them.
 */
function protect(settings: OAuthSettings, endpoint: OAuthEndpoint): Authenticator {
  const { origin, pathname } = new URL(endpoint.resource);
  const metadataPath = resourceMetadataPath + (pathname === '/' ? '' : pathname.replace(/\/$/, ''));
  const rejections = createRejections(settings, endpoint, origin + metadataPath);
  let loading: Promise<ResourceServer> | undefined;
  let loaded: ResourceServer | undefined;
  const load = (): Promise<ResourceServer> => {
    loading ??= openServer(settings, endpoint, rejections).then((made) => (loaded = made));
    return loading;
  };
  if (!isWorkerd) {
    // Preload the keys, so that the first token rarely waits for them.
    void load().then((server) => server.warmUp());
  }
  const { dpop, anonymous, leewayMs } = settings;
  return {
    header: dpop === 'off' ? 'Authorization' : ['Authorization', 'DPoP'],
    anonymous,
    leewayMs,
    documents: documents(settings, endpoint, { metadataPath, load }),
    authenticate: (request) =>
      loaded === undefined ? load().then((server) => server.authenticate(request)) : loaded.authenticate(request),
    challenge: (request, { needed, caller }) =>
      caller === undefined
        ? rejections.missingToken(needed)
        : rejections.insufficientScope({ needed, caller }, schemeOf(request)),
    form: (request) => challengeForm(settings.challenge, request),
    ...(settings.nonce !== false && {
      answerHeaders: (request: CredentialsRequest) =>
        schemeOf(request) === 'DPoP' ? loaded?.nonceHeader() : undefined,
    }),
  };
}

async function openServer(
  settings: OAuthSettings,
  endpoint: OAuthEndpoint,
  rejections: Rejections,
): Promise<ResourceServer> {
  const { ResourceServer } = await import('./resource-server.ts');
  return new ResourceServer(settings, endpoint, rejections);
}

function documents(
  settings: OAuthSettings,
  { resource }: OAuthEndpoint,
  { metadataPath, load }: { metadataPath: string; load: () => Promise<ResourceServer> },
): PublicDocument[] {
  const json = JSON.stringify(resourceMetadata(settings, resource));
  const read = (): { json: string } => ({ json });
  const readServerDocument = (): ReturnType<ResourceServer['serverDocument']> =>
    load().then((server) => server.serverDocument());
  return [
    { path: metadataPath, read },
    { path: resourceMetadataPath, read },
    // Clients of the first revision look for the authorization server's metadata here.
    { path: serverMetadataPath, read: readServerDocument },
  ];
}

function resourceMetadata(settings: OAuthSettings, resource: string): Record<string, unknown> {
  const { issuers, scopes, dpop, algorithms, name, documentation } = settings;
  const least = scopes.filter((scope) => scope !== 'offline_access');
  return {
    resource,
    authorization_servers: issuers,
    ...(least.length > 0 && { scopes_supported: least }),
    bearer_methods_supported: ['header'],
    ...(name !== undefined && { resource_name: name }),
    ...(documentation !== undefined && { resource_documentation: documentation }),
    ...(dpop !== 'off' && {
      dpop_signing_alg_values_supported: algorithms,
      dpop_bound_access_tokens_required: dpop === 'require',
    }),
  };
}

/** The authorization scheme of a request. */
function schemeOf(request: CredentialsRequest): 'Bearer' | 'DPoP' {
  return /^dpop /i.test(request.header('authorization') ?? '') ? 'DPoP' : 'Bearer';
}

/** Hosts that only read challenges in tool results. */
const longestAgent = 200;
const readsResults = /openai-mcp|chatgpt/i;

function challengeForm(challenge: OAuthSettings['challenge'], request: CredentialsRequest): 'http' | 'result' {
  if (challenge !== 'auto') return challenge;
  const agent = (request.header('user-agent') ?? '').slice(0, longestAgent);
  return readsResults.test(agent) ? 'result' : 'http';
}
