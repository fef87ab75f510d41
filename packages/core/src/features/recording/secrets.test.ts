import { describe, expect, it } from 'vitest';
import { maskBody, maskHeaders, maskLabel, maskMessage, maskUrl } from './secrets.ts';

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

  it('masks secrets in messages, but no progress tokens', () => {
    const params = {
      name: 'log_in',
      arguments: { password: 'hush', note: 'token=abcdef' },
      _meta: { progressToken: 'p1' },
    };
    expect(maskMessage({ jsonrpc: '2.0', id: 1, params })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      params: {
        name: 'log_in',
        arguments: { password: '[masked]', note: 'token=[masked]' },
        _meta: { progressToken: 'p1' },
      },
    });
  });

  it('masks lists of secrets, and leaves schemas of secrets alone', () => {
    const message = { tokens: ['abc'], properties: { token: { type: 'string' } }, required: ['token'] };
    expect(maskMessage(message)).toEqual({ ...message, tokens: ['[masked]'] });
  });
});
