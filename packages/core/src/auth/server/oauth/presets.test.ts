import { describe, expect, it, onTestFinished } from 'vitest';
import { authorizationServer } from '../../../testing/authorization-server.ts';
import type { MetadataForm } from '../../../testing/authorization-server/options.ts';
import { createServer, tool } from '../../../index.ts';
import { httpHandler } from '../../../transports/http/server/handler.ts';
import { oauth } from './oauth.ts';
import { type Preset, presets } from './presets.ts';

const resource = 'https://api.example.com/mcp';
const guid = '11111111-2222-3333-4444-555555555555';
const app = '99999999-8888-7777-6666-555555555555';

interface Case {
  preset: Preset;
  /** Where the provider has its metadata. */
  metadataAt: MetadataForm | `/${string}`;
  /** A token as the provider documents it. */
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** The resulting caller. */
  caller: Record<string, unknown>;
  /** Tokens of the same provider that are not for this server, or are no access tokens. */
  foreign: Record<string, unknown>[];
}

const jwt = { typ: 'JWT' };

const cases: Record<string, Case> = {
  keycloak: {
    preset: presets.keycloak({ url: 'https://id.example.com/', realm: 'staff' }),
    metadataAt: '/realms/staff/.well-known/openid-configuration',
    header: jwt,
    claims: {
      iss: 'https://id.example.com/realms/staff',
      aud: [resource, 'account'],
      typ: 'Bearer',
      azp: 'inspector',
      sub: 'f:1',
      scope: 'openid read',
      sid: 's',
    },
    caller: { clientId: 'inspector', subject: 'f:1', scopes: ['openid', 'read'] },
    foreign: [{ aud: 'account' }, { typ: 'ID' }, { iss: 'https://id.example.com/realms/other' }],
  },
  auth0: {
    preset: presets.auth0({ domain: 'https://example.eu.auth0.com/', audience: resource }),
    metadataAt: 'openid',
    header: jwt,
    claims: {
      iss: 'https://example.eu.auth0.com/',
      aud: [resource, 'https://example.eu.auth0.com/userinfo'],
      azp: 'c',
      sub: 'auth0|1',
      scope: 'openid',
      permissions: ['read'],
    },
    caller: { clientId: 'c', subject: 'auth0|1', scopes: ['openid', 'read'] },
    foreign: [
      { aud: 'https://example.eu.auth0.com/userinfo' },
      { iss: 'https://example.eu.auth0.com' },
      { nonce: 'n' },
    ],
  },
  okta: {
    preset: presets.okta({ domain: 'example.okta.com' }),
    metadataAt: '/oauth2/default/.well-known/openid-configuration',
    header: { typ: undefined },
    claims: {
      ver: 1,
      iss: 'https://example.okta.com/oauth2/default',
      aud: 'api://default',
      cid: 'c',
      uid: 'u',
      sub: 'ada@example.com',
      scp: ['openid', 'read'],
    },
    caller: { clientId: 'c', subject: 'ada@example.com', scopes: ['openid', 'read'] },
    foreign: [{ aud: 'https://example.okta.com' }, { iss: 'https://example.okta.com' }],
  },
  'entra, version 2': {
    preset: presets.entra({ tenant: guid, clientId: app }),
    metadataAt: `/${guid}/v2.0/.well-known/openid-configuration`,
    header: jwt,
    claims: {
      ver: '2.0',
      iss: `https://login.microsoftonline.com/${guid}/v2.0`,
      aud: app,
      azp: 'c',
      azpacr: '0',
      oid: 'o',
      tid: guid,
      sub: 's',
      scp: 'read',
    },
    caller: { clientId: 'c', subject: 's', scopes: ['read', `api://${app}/read`] },
    foreign: [
      { aud: '00000003-0000-0000-c000-000000000000' },
      { iss: `https://login.microsoftonline.com/${app}/v2.0` },
    ],
  },
  'entra, version 1, a program': {
    preset: presets.entra({ tenant: guid, clientId: app, version: 1 }),
    metadataAt: `/${guid}/.well-known/openid-configuration`,
    header: jwt,
    claims: {
      ver: '1.0',
      iss: `https://sts.windows.net/${guid}/`,
      aud: `api://${app}`,
      appid: 'c',
      appidacr: '1',
      oid: 'o',
      tid: guid,
      sub: 'o',
      roles: ['Read.All'],
    },
    caller: { clientId: 'c', subject: 'o', scopes: ['Read.All', `api://${app}/Read.All`] },
    foreign: [{ aud: 'https://graph.microsoft.com' }, { iss: `https://sts.windows.net/${guid}` }],
  },
  cognito: {
    preset: presets.cognito({ region: 'eu-west-1', userPoolId: 'eu-west-1_Example' }),
    metadataAt: '/eu-west-1_Example/.well-known/openid-configuration',
    header: { typ: undefined },
    claims: {
      iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example',
      aud: resource,
      token_use: 'access',
      client_id: 'c',
      sub: 'u',
      username: 'ada',
      scope: 'mcp/read',
      version: 2,
    },
    caller: { clientId: 'c', subject: 'u', scopes: ['mcp/read'] },
    foreign: [{ aud: undefined }, { token_use: 'id' }, { token_use: undefined }],
  },
  google: {
    preset: presets.google({ callers: ['job@project.iam.gserviceaccount.com'], scopes: ['read'] }),
    metadataAt: 'openid',
    header: jwt,
    claims: {
      iss: 'https://accounts.google.com',
      aud: resource,
      azp: '1',
      sub: '1',
      email: 'job@project.iam.gserviceaccount.com',
      email_verified: true,
    },
    caller: { clientId: '1', subject: '1', scopes: ['read'] },
    foreign: [
      { aud: 'https://other.example' },
      { email: 'evil@other.iam.gserviceaccount.com' },
      { email_verified: false },
      { email: undefined },
    ],
  },
  workos: {
    preset: presets.workos({ domain: 'example.authkit.app' }),
    metadataAt: 'oauth',
    header: jwt,
    claims: {
      iss: 'https://example.authkit.app',
      aud: resource,
      sub: 'user_1',
      sid: 's',
      org_id: 'org_1',
      client_id: 'c',
      scope: 'openid',
      permissions: ['read'],
    },
    caller: { clientId: 'c', subject: 'user_1', scopes: ['openid', 'read'] },
    foreign: [{ aud: 'client_1' }, { iss: 'https://other.authkit.app' }],
  },
  'better-auth': {
    preset: presets.betterAuth({ url: 'https://app.example.com/api/auth/' }),
    metadataAt: '/.well-known/oauth-authorization-server/api/auth',
    header: jwt,
    claims: {
      iss: 'https://app.example.com/api/auth',
      aud: [resource],
      azp: 'c',
      sub: 'u',
      sid: 's',
      scope: 'openid read',
    },
    caller: { clientId: 'c', subject: 'u', scopes: ['openid', 'read'] },
    foreign: [{ aud: 'https://app.example.com' }, { iss: 'https://app.example.com' }],
  },
};

/** A server with a preset whose provider is played by the one for tests: requests to it are led there. */
async function start({ preset, metadataAt }: Case) {
  const issuer = String(preset.issuer);
  const { origin } = new URL(issuer);
  const by = await authorizationServer({
    metadataAt: [metadataAt],
    metadata: { issuer, jwks_uri: `${origin}/jwks` },
  });
  onTestFinished(by.close);
  const auth = oauth({
    ...preset,
    fetch: (url, init) => fetch(by.issuer + new URL(url instanceof Request ? url.url : url).pathname, init),
  });
  const server = createServer({
    name: 'preset',
    version: '1.0.0',
    tools: [tool('whoami', {}, (_, context) => JSON.stringify(context.auth))],
    logger: { level: 'emergency', write: () => {} },
  });
  const handler = httpHandler(server, { resource, auth });
  const call = async (claims: Record<string, unknown>, header: Record<string, unknown>) => {
    const token = by.token({ claims: { client_id: undefined, jti: undefined, ...claims }, header });
    const params = {
      name: 'whoami',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const request = new Request(resource, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'whoami',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const response = await handler.fetch(request);
    return { status: response.status, body: await response.text() };
  };
  return { call };
}

describe.each(Object.entries(cases))('the preset of %s', (_, each) => {
  it('accepts a token as the provider documents it, and reads client, user and scopes', async () => {
    const { call } = await start(each);
    const { status, body } = await call(each.claims, each.header);
    expect([status, body]).toEqual([200, expect.any(String)]);
    const { result } = JSON.parse(body) as { result: { content: [{ text: string }] } };
    expect(JSON.parse(result.content[0].text)).toMatchObject({ issuer: each.claims.iss, ...each.caller });
  });

  it('rejects tokens of the same provider for other audiences', async () => {
    const { call } = await start(each);
    for (const over of each.foreign) {
      const { status } = await call({ ...each.claims, ...over }, each.header);
      expect({ over, isRejected: status === 401 || status === 403 }).toEqual({ over, isRejected: true });
    }
  });
});

describe('a preset', () => {
  it.each([
    [() => presets.auth0({ domain: 'a b', audience: 'x' }), 'must be a host name'],
    [() => presets.auth0({ domain: 'a.example/path', audience: 'x' }), 'must be a host name'],
    [() => presets.auth0({ domain: 'a.example', audience: '' }), 'audience is missing'],
    [() => presets.entra({ tenant: 'common', clientId: app }), 'the id of the directory'],
    [() => presets.keycloak({ url: 'id.example.com', realm: 'x' }), 'must be a URL'],
    [() => presets.google({ callers: [] }), 'must name the accounts'],
  ])('reports invalid options: %s', (make, said) => {
    expect(make).toThrow(said);
  });
});
