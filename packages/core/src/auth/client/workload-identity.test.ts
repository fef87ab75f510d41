import { describe, expect, it } from 'vitest';
import { send } from './fixtures/protected-server.ts';
import { jwtBearer, startTrustingServer } from './fixtures/trusting-server.ts';
import { type AssertionRequest, workloadIdentity } from './workload-identity.ts';

describe('a workload', () => {
  it('gets a token for the assertion of its platform', async () => {
    const { by, server } = await startTrustingServer('jwt');
    const wishes: AssertionRequest[] = [];
    const assertion = (wanted: AssertionRequest) => (wishes.push(wanted), 'jwt');
    expect(await send(workloadIdentity({ clientId: 'workload', assertion }), server.url)).toBe(200);
    expect(wishes).toEqual([{ audience: by.issuer, resource: server.url, scope: 'a b' }]);
    expect(by.forms()).toEqual([
      { grant_type: jwtBearer, assertion: 'jwt', client_id: 'workload', resource: server.url, scope: 'a b' },
    ]);
  });

  it('does not retry a rejected assertion', async () => {
    const { by, server } = await startTrustingServer('jwt');
    const auth = workloadIdentity({ clientId: 'workload', assertion: () => 'expired-jwt' });
    await expect(send(auth, server.url)).rejects.toMatchObject({
      oauthError: 'invalid_grant',
      message: 'The authorization server gave no token: invalid_grant',
    });
    expect(by.forms()).toHaveLength(1);
  });
});
