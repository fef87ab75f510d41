import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openPage } from './fixtures/page.ts';
import { maskBody, maskHeaders, maskLabel, maskUrl } from './secrets.ts';
import type { Target } from './targets.ts';

/** A port on which nothing listens. */
async function closedPort(): Promise<AddressInfo> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  return address;
}

describe('masking', () => {
  it.each([
    ['Authorization', 'Bearer abcdef123456', 'Bearer [masked]'],
    ['authorization', 'abcdef123456', '[masked]'],
    ['Proxy-Authorization', 'Basic abcdef', 'Basic [masked]'],
    ['Cookie', 'session=abc; theme=dark', 'session=[masked]; theme=[masked]'],
    ['Set-Cookie', 'session=abc; Path=/; HttpOnly', 'session=[masked]; Path=/; HttpOnly'],
    ['X-Api-Key', 'abc', '[masked]'],
    ['DPoP', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln', '[masked]'],
    ['Mcp-Session-Id', '5f0c', '[masked]'],
    ['Location', 'http://localhost/callback?code=abc&x=1', 'http://localhost/callback?code=[masked]&x=1'],
    ['Location', '/callback?code=abc&x=1', '/callback?code=[masked]&x=1'],
    ['Location', '//a.example/cb?state=abc', '//a.example/cb?state=[masked]'],
    ['Location', '/next', '/next'],
    ['Content-Type', 'application/json', 'application/json'],
    [
      'WWW-Authenticate',
      'Bearer resource_metadata="https://a.example/x"',
      'Bearer resource_metadata="https://a.example/x"',
    ],
  ])('removes credentials from the header %s: %s', (name, value, shown) => {
    expect(maskHeaders([[name, value]])).toEqual([[name, shown]]);
  });

  it('masks credentials in URLs', () => {
    expect(maskUrl('https://user:secret@a.example/mcp?access_token=abc&page=2')).toBe(
      'https://user:masked@a.example/mcp?access_token=[masked]&page=2',
    );
    expect(maskUrl('https://a.example/authorize?client_id=x&code_challenge=y&state=z')).toBe(
      'https://a.example/authorize?client_id=x&code_challenge=y&state=[masked]',
    );
  });

  it('masks a token in place of a user name', () => {
    expect(maskUrl('https://abcdef@a.example/mcp')).toBe('https://masked@a.example/mcp');
  });

  it.each([
    ['http://127.0.0.1/mcp?api_key=abc', 'http://127.0.0.1/mcp?api_key=[masked]'],
    ['HTTP://LOCALHOST', 'HTTP://LOCALHOST'],
    ['./server.js', './server.js'],
    ['node x.js --api-key=abc', 'node x.js --api-key=[masked]'],
  ])('masks secrets in the name of a server: %s', (label, shown) => {
    expect(maskLabel(label)).toBe(shown);
  });

  it('masks secrets in labels, known targets and sign-in URLs', async () => {
    const { port } = await closedPort();
    const secret = 'hush-hush-hush';
    const url = `http://127.0.0.1:${port}/mcp?token=${secret}`;
    const resolve = async (): Promise<Target> => ({ kind: 'url', url, label: url });
    const page = await openPage({ targets: [{ label: url, kind: 'url', origin: 'given', resolve }] });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'failed');
    await page.ask('connect', { typed: `${url}&two` });
    await page.until('connection', (event) => event.connection.id !== connection.id);
    await page.ask('doctor', { connection: connection.id });
    await page.until('doctor-end');
    await page.ask('sign-in', { connection: connection.id });
    await page.until('sign-in', ({ status }) => status === 'failed');
    expect(JSON.stringify(page.events)).not.toContain(secret);
    expect(connection.label).toBe(`http://127.0.0.1:${port}/mcp?token=[masked]`);
  });

  it('masks OAuth bodies', () => {
    const tokens = {
      access_token: 'a1',
      refresh_token: 'r1',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: 'eyJ.e.s',
    };
    expect(JSON.parse(maskBody(JSON.stringify(tokens)))).toEqual({
      access_token: '[masked]',
      refresh_token: '[masked]',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: '[masked]',
    });
    expect(maskBody('grant_type=authorization_code&code=abc&code_verifier=def&client_secret=ghi')).toBe(
      'grant_type=authorization_code&code=[masked]&code_verifier=[masked]&client_secret=[masked]',
    );
    const client = {
      client_id: 'c',
      client_secret: 's',
      registration_access_token: 't',
      redirect_uris: ['http://localhost/'],
    };
    expect(JSON.parse(maskBody(JSON.stringify(client)))).toEqual({
      client_id: 'c',
      client_secret: '[masked]',
      registration_access_token: '[masked]',
      redirect_uris: ['http://localhost/'],
    });
  });

  it('keeps OAuth metadata', () => {
    const metadata = {
      issuer: 'https://a.example',
      token_endpoint: 'https://a.example/token',
      authorization_endpoint: 'https://a.example/authorize',
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      jwks_uri: 'https://a.example/jwks',
      authorization_servers: ['https://a.example'],
    };
    expect(JSON.parse(maskBody(JSON.stringify(metadata)))).toEqual(metadata);
  });
});
