import { inWorkers } from '../../../runtime/kind.ts';
import type { AuthDocument, Authenticator, CredentialsRequest } from '../authenticator.ts';
import { type OAuthEndpoint, type OAuthOptions, type OAuthSettings, readOptions } from './options.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import type { ResourceServer } from './resource-server.ts';

const resourcePlace = '/.well-known/oauth-protected-resource';
const serverPlace = '/.well-known/oauth-authorization-server';

/**
 * Lets in whoever has an access token of an authorization server for this endpoint, whose public address the option `resource`
 * names. All else that clients and this server need is found out from the issuer.
 */
export function oauth(options: OAuthOptions): Authenticator {
  const settings = readOptions(options);
  return {
    at(endpoint) {
      const { resource } = endpoint;
      if (resource === undefined) throw noResource();
      return protect(settings, { ...endpoint, resource });
    },
    authenticate: () => {
      throw noResource();
    },
  };
}

function noResource(): TypeError {
  const what = 'the public address of the endpoint, such as https://api.example.com/mcp';
  return new TypeError(`oauth needs the option "resource" (--resource) beside "auth": ${what}`);
}

/** The authenticator of one endpoint. What checks tokens is loaded now: nobody who has no tokens to check pays for it. */
function protect(settings: OAuthSettings, endpoint: OAuthEndpoint): Authenticator {
  const { origin, pathname } = new URL(endpoint.resource);
  const ownPlace = resourcePlace + (pathname === '/' ? '' : pathname.replace(/\/$/, ''));
  const refusals = createRefusals(settings, endpoint, origin + ownPlace);
  let loading: Promise<ResourceServer> | undefined;
  let loaded: ResourceServer | undefined;
  const load = (): Promise<ResourceServer> => {
    loading ??= openServer(settings, endpoint, refusals).then((made) => (loaded = made));
    return loading;
  };
  if (!inWorkers) {
    // The keys are there before the first token comes, if all goes well; else that one waits for them.
    void load().then((server) => server.warmUp());
  }
  const { dpop, anonymous, leewayMs } = settings;
  return {
    header: dpop === 'off' ? 'Authorization' : ['Authorization', 'DPoP'],
    anonymous,
    leewayMs,
    documents: documents(settings, endpoint, { ownPlace, load }),
    authenticate: (request) =>
      loaded === undefined ? load().then((server) => server.authenticate(request)) : loaded.authenticate(request),
    challenge: (request, { needed, caller }) =>
      caller === undefined ? refusals.missing(needed) : refusals.tooLittle({ needed, caller }, schemeOf(request)),
    form: (request) => formFor(settings.challenge, request),
    ...(settings.nonce !== false && {
      answerHeaders: (request: CredentialsRequest) =>
        schemeOf(request) === 'DPoP' ? loaded?.nonceHeader() : undefined,
    }),
  };
}

async function openServer(
  settings: OAuthSettings,
  endpoint: OAuthEndpoint,
  refusals: Refusals,
): Promise<ResourceServer> {
  const { ResourceServer } = await import('./resource-server.ts');
  return new ResourceServer(settings, endpoint, refusals);
}

function documents(
  settings: OAuthSettings,
  { resource }: OAuthEndpoint,
  { ownPlace, load }: { ownPlace: string; load: () => Promise<ResourceServer> },
): AuthDocument[] {
  const json = JSON.stringify(resourceMetadata(settings, resource));
  const read = (): { json: string } => ({ json });
  const mirrored = (): ReturnType<ResourceServer['serverDocument']> => load().then((server) => server.serverDocument());
  return [
    { path: ownPlace, read },
    { path: resourcePlace, read },
    // The oldest clients look for the authorization server's own metadata here.
    { path: serverPlace, read: mirrored },
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

/** The scheme that a client used. */
function schemeOf(request: CredentialsRequest): 'Bearer' | 'DPoP' {
  return /^dpop /i.test(request.header('authorization') ?? '') ? 'DPoP' : 'Bearer';
}

/** Hosts that look for a challenge in results only, and at nothing in an HTTP answer. */
const longestAgent = 200;
const readsResults = /openai-mcp|chatgpt/i;

function formFor(challenge: OAuthSettings['challenge'], request: CredentialsRequest): 'http' | 'result' {
  if (challenge !== 'auto') return challenge;
  const agent = (request.header('user-agent') ?? '').slice(0, longestAgent);
  return readsResults.test(agent) ? 'result' : 'http';
}
