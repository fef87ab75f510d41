import { createServer, tool } from '@ccmcp/core';
import { oauth, serveHttp } from '@ccmcp/core/http';
import { authorizationServer } from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { freePort } from '../support/free-port.ts';

/** A protected server, and a function that probes it. */
async function start() {
  const by = await authorizationServer();
  onTestFinished(by.close);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const server = createServer({
    name: 'protected',
    version: '1.0.0',
    tools: [tool('hi', {}, () => 'hi')],
    logger: { level: 'emergency', write: () => {} },
  });
  const service = await serveHttp(server, {
    port,
    resource: url,
    auth: oauth({ issuer: by.issuer, scopes: ['read'] }),
  });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  const probe = async (token?: string, ...args: string[]) => {
    const env = { CCMCP_LOGINS: emptyFolder(), CCMCP_KEYCHAIN: 'none', ...(token && { TOKEN: token }) };
    const given = token === undefined ? [] : ['--token-env', 'TOKEN'];
    return run(['probe', url, ...given, ...args], { env });
  };
  return { by, url, probe };
}

describe('ccmcp probe of a server that requires tokens', () => {
  it('finds no problem in the OAuth discovery, and says how to get a token', async () => {
    const { url, probe } = await start();
    const { code, stdout } = await probe();
    expect(code).toBe(4);
    expect(stdout).not.toContain('FAILED');
    expect(stdout).toMatch(/^ok {4} challenge: 401 names the metadata, and the scope read$/m);
    expect(stdout).toContain(`Sign in with "ccmcp login ${url}"`);
  });

  it('continues with a valid token, and detects the protocol versions', async () => {
    const { by, url, probe } = await start();
    const { code, stdout } = await probe(by.token({ audience: url, scopes: ['read'] }));
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is wrong.')]);
    expect(stdout).toMatch(/^ok {4} token: nothing is wrong with it/m);
    expect(stdout).toContain('protected 1.0.0 speaks');
  });

  it('names the check that a token fails, and never shows the token', async () => {
    const { by, url, probe } = await start();
    const token = by.token({ audience: 'https://other.example/mcp', scopes: ['read'] });
    const { code, stdout, stderr } = await probe(token);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^FAILED token: it is for \(aud\) https:\/\/other\.example\/mcp, the server is /m);
    expect(stdout).toContain(`-> ask for the token with resource=${url}`);
    for (const part of token.split('.')) expect(stdout + stderr).not.toContain(part);
    const json = await probe(token, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ problem: { kind: 'bad-token' } });
  });

  it('continues after a problem, and names the field to change', async () => {
    const { by, probe } = await start();
    by.settings.metadata = { code_challenge_methods_supported: undefined };
    by.settings.outage = { jwks: 'error' };
    const { code, stdout } = await probe();
    expect(code).toBe(4);
    expect(stdout).toMatch(/^FAILED sign-in: .*PKCE with S256.*\n {7}-> code_challenge_methods_supported/m);
    expect(stdout).toMatch(/^FAILED keys: .*answered with 503/m);
    expect(JSON.parse((await probe(undefined, '--json')).stdout)).toMatchObject({
      problem: { kind: 'broken-sign-in' },
    });
  });
});
