import { describe, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../../compose.ts';
import { createServer } from '../../../create-server.ts';
import { prompt, resource as resourceOf, template, tool } from '../../../server/define/define.ts';
import { authorizationServer } from '../../../testing/authorization-server.ts';
import { handshake, statelessClient } from '../../../transports/http/server/fixtures/client.ts';
import { serveHttp } from '../../../transports/http/server/serve.ts';
import { bearer, metadataUrl, resource } from './fixtures/protected.ts';
import { oauth } from './oauth.ts';

const version = '1.0.0';
const completed = { name: 'id', value: '' };

/** Requests to the protected part of a mixed server, with the scopes that each needs. */
const asked: readonly [method: string, params: Record<string, unknown>, needed: string][] = [
  ['tools/call', { name: 'v_purge', arguments: {} }, 'vault:write'],
  ['tools/call', { name: 'v_mine', arguments: {} }, ''],
  ['resources/read', { uri: 'vault://1' }, 'vault:read'],
  ['resources/read', { uri: 'vault://notes/7' }, 'vault:7'],
  ['prompts/get', { name: 'v_plan', arguments: {} }, 'vault:read'],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'v_plan' }, argument: completed }, 'vault:read'],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'vault://notes/{id}' }, argument: completed }, ''],
];

const onlyStateless: typeof asked = [
  ['subscriptions/listen', { notifications: { resourceSubscriptions: ['vault://1'] } }, 'vault:read'],
  [
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: ['vault://notes/7', 'vault://1'] } },
    'vault:7 vault:read',
  ],
];
const onlyInSessions: typeof asked = [
  ['resources/subscribe', { uri: 'vault://1' }, 'vault:read'],
  ['resources/subscribe', { uri: 'vault://notes/7' }, 'vault:7'],
];

/** A mixed server that is made of two, one of which is protected. */
async function startMixed() {
  const called: string[] = [];
  const note = (name: string) => () => {
    called.push(name);
    return name;
  };
  const complete = (): string[] => {
    called.push('completed');
    return ['secret'];
  };
  const vault = createServer({
    name: 'vault',
    version,
    tools: [tool('purge', { scopes: ['vault:write'] }, note('purge')), tool('mine', { scopes: [] }, note('mine'))],
    resources: [resourceOf('vault://1', { scopes: ['vault:read'] }, note('vault://1'))],
    templates: [
      template(
        'vault://notes/{id}',
        { scopes: ({ id }) => [`vault:${String(id)}`], complete: { id: complete } },
        note('note'),
      ),
    ],
    prompts: [prompt('plan', { scopes: ['vault:read'], arguments: { id: { complete } } }, note('plan'))],
  });
  const open = createServer({ name: 'open', version, tools: [tool('open', {}, note('open'))] });
  const whole = compose(
    { vault: { server: vault, prefix: 'v_' }, open: { server: open, prefix: '' } },
    { name: 'both', version },
  );
  const issuer = await authorizationServer();
  onTestFinished(() => issuer.close());
  const auth = oauth({ issuer: issuer.issuer, anonymous: true });
  const service = await serveHttp(whole, { resource, auth });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return { url: service.url, issuer, called };
}

async function answersOf(url: string, headers: Record<string, string>) {
  const answers: [asked: string, needed: string, status: number, challenge: string | null][] = [];
  const ways = [
    [statelessClient(url, { headers }), [...asked, ...onlyStateless]],
    [await handshake(url, { headers }), [...asked, ...onlyInSessions]],
  ] as const;
  for (const [client, list] of ways) {
    for (const [method, params, needed] of list) {
      const { status, headers: given, body } = await client.send(method, params);
      await body?.cancel();
      answers.push([`${method} ${JSON.stringify(params)}`, needed, status, given.get('www-authenticate')]);
    }
  }
  return answers;
}

describe('a protected part of a mixed server', () => {
  it('rejects every request without a token (AR-84)', async () => {
    const { url, called } = await startMixed();
    for (const [what, needed, status, challenge] of await answersOf(url, {})) {
      const scope = needed === '' ? '' : `, scope="${needed}"`;
      expect([what, status, challenge]).toEqual([what, 401, `Bearer resource_metadata="${metadataUrl}"${scope}`]);
    }
    expect(called).toEqual([]);
    expect((await statelessClient(url).sendCall('open')).status).toBe(200);
  });

  it('challenges a token without scopes for exactly the needed ones (AR-80, AR-15)', async () => {
    const { url, issuer } = await startMixed();
    for (const [what, needed, status, challenge] of await answersOf(
      url,
      bearer(issuer.token({ audience: resource })),
    )) {
      if (needed === '') expect([what, status]).toEqual([what, 200]);
      else {
        expect([what, status]).toEqual([what, 403]);
        expect(challenge).toContain('error="insufficient_scope"');
        expect(challenge).toContain(`scope="${needed}"`);
      }
    }
  });

  it('serves a caller with all of them', async () => {
    const { url, issuer } = await startMixed();
    const scopes = ['vault:read', 'vault:write', 'vault:7'];
    const answers = await answersOf(url, bearer(issuer.token({ audience: resource, scopes })));
    expect(answers.filter(([, , status]) => status !== 200)).toEqual([]);
  });

  it('is not reached by an anonymous batch, even if only one request needs a token (AR-86)', async () => {
    const { url, called } = await startMixed();
    const session = await handshake(url, { version: '2025-03-26' });
    for (const [method, params] of [...asked, ...onlyInSessions]) {
      const batch = [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'open', arguments: {} } },
        { jsonrpc: '2.0', id: 2, method, params },
      ];
      const { status } = await session.post(batch);
      expect([method, params, status]).toEqual([method, params, 401]);
    }
    expect(called).toEqual([]);
  });
});
