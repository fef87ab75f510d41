import { describe, expect, it } from 'vitest';
import { credentialsHint } from './credentials-hint.ts';

describe('the advice for a server that wants credentials', () => {
  it.each([
    ['Bearer realm="api"', '', "--header 'Authorization: Bearer TOKEN'"],
    ['DPoP algs="ES256"', '', "--header 'Authorization: Bearer TOKEN'"],
    ['Basic realm="x"', '', '--header "Authorization: Basic $(printf %s USER:PASSWORD | base64)"'],
    ['ApiKey header="X-Own-Key"', '', "--header 'X-Own-Key: KEY'"],
    ['Token', '', "--header 'Authorization: Token CREDENTIALS'"],
    ['', '{"error":"Missing X-Api-Token header"}', "--header 'X-Api-Token: KEY'"],
    ['', '', "--header 'Authorization: Bearer TOKEN' or --header 'X-Api-Key: KEY'"],
    ['ApiKey header="X\'; rm -rf ~; \'"', '', "--header 'Authorization: ApiKey CREDENTIALS'"],
  ])('names the header to give: %s %s', (challenge, said, header) => {
    expect(credentialsHint({ status: 401, challenge, said }).hint).toContain(header);
  });

  it('says what the server says', () => {
    const challenge = 'Bearer error="invalid_token", error_description="The token \\"x\\" expired"';
    expect(credentialsHint({ status: 401, challenge }).message).toBe(
      `The server wants credentials (401): The token "x" expired. WWW-Authenticate: ${challenge}`,
    );
    expect(credentialsHint({ status: 401, said: '{"error":{"message":"No key"}}' }).message).toBe(
      'The server wants credentials (401): No key',
    );
    expect(credentialsHint({ status: 401, said: '<h1>Who are you?</h1>' }).message).toBe(
      'The server wants credentials (401): Who are you?',
    );
    expect(credentialsHint({ status: 401 }).message).toBe('The server wants credentials (401)');
  });

  it('says that what was sent was refused', () => {
    const { message, hint } = credentialsHint(
      { status: 401, challenge: 'Bearer' },
      { sent: { Authorization: 'Bearer secret', Accept: 'x' } },
    );
    expect(message).toContain('refuses the Authorization that it was sent (401)');
    expect(hint).toMatch(/expired.*--header 'Authorization: Bearer TOKEN'/);
    expect(message + hint).not.toContain('secret');
  });

  it('tells of signing in where that is possible, and not where it was tried already', () => {
    const refusal = { status: 401, challenge: 'Bearer resource_metadata="https://example.com/x"' };
    expect(credentialsHint(refusal).hint).toMatch(/OAuth.*ccmcp login URL/);
    expect(credentialsHint(refusal, { isAttended: true }).hint).not.toContain('terminal');
  });

  it('tells a refusal of the caller apart, with the scope that is wanted', () => {
    const refused = credentialsHint({ status: 403, said: 'Host not allowed' });
    expect(refused.message).toBe('The server refuses the caller (403): Host not allowed');
    expect(refused.hint).toContain('host name or origin');
    const challenge = 'Bearer error="insufficient_scope", scope="files:write"';
    expect(credentialsHint({ status: 403, challenge }).hint).toContain('scope files:write');
  });
});
