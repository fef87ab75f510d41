import type { Auth } from '@ccmcp/core';
import { memoryStore, type Store } from '@ccmcp/core/http';
import { describe, expect, it } from 'vitest';
import { protectedUpstream } from '../fixtures/protected-upstream.ts';
import { signInGateway } from '../fixtures/sign-in-gateway.ts';
import { sharedTokens } from './shared-tokens.ts';

const key = 'a secret of the operator, long enough';
const where = { issuer: 'https://issuer.example', resource: 'https://up.example/mcp' };
const tokens = { accessToken: 'access-secret', refreshToken: 'refresh-secret', tokenType: 'Bearer' };
const ann = { principal: 'ann' } as Auth;
const bob = { principal: 'bob' } as Auth;

/** A store that shows what is written to it. */
function seenStore(): { store: Store; records: Map<string, Record<string, string>> } {
  const inner = memoryStore();
  const records = new Map<string, Record<string, string>>();
  const create: Store['create'] = (name, fields, life) => {
    records.set(name, { ...fields });
    return inner.create(name, fields, life);
  };
  const store = new Proxy(inner, {
    get(target, member) {
      if (member === 'create') return create;
      const value = Reflect.get(target, member) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { store, records };
}

describe('the tokens of callers in a shared store', () => {
  it('are found by another instance with the same key, for this caller and server only', async () => {
    const { store } = seenStore();
    const one = sharedTokens({ store, key });
    const other = sharedTokens({ store, key });
    await one(ann).set(where, { tokens });
    expect(await other(ann).get(where)).toEqual({ tokens });
    expect(await other(bob).get(where)).toBeUndefined();
    expect(await other(ann).get({ ...where, resource: 'https://other.example/mcp' })).toBeUndefined();
    expect(await sharedTokens({ store, key: `another ${key}` })(ann).get(where)).toBeUndefined();
    await other(ann).delete(where);
    expect(await one(ann).get(where)).toBeUndefined();
  });

  it('are never stored as text, nor are callers and servers', async () => {
    const { store, records } = seenStore();
    await sharedTokens({ store, key })(ann).set(where, { tokens });
    const all = JSON.stringify([...records]);
    expect(records.size).toBe(1);
    for (const secret of ['access-secret', 'refresh-secret', '"ann', 'issuer.example', 'up.example', key]) {
      expect(all).not.toContain(secret);
    }
  });

  it('that are moved to another caller, or changed, are none', async () => {
    const { store, records } = seenStore();
    const all = sharedTokens({ store, key });
    await all(ann).set(where, { tokens });
    const [sealed] = [...records.values()];
    await all(bob).set(where, { tokens });
    const nameOfBob = [...records.keys()][1] as string;
    const life = { kind: 'test', ttlMs: 60_000, limit: 10 };
    await store.create(nameOfBob, { sealed: sealed?.sealed as string }, life);
    expect(await all(bob).get(where)).toBeUndefined();
    await store.create(nameOfBob, { sealed: 'no such thing' }, life);
    expect(await all(bob).get(where)).toBeUndefined();
  });

  it('need a key that is long enough', () => {
    const { store } = seenStore();
    for (const wrong of ['', 'short', undefined as unknown as string]) {
      expect(() => sharedTokens({ store, key: wrong })).toThrow('"key" must have at least 32 characters');
    }
  });

  it('are changed by one instance at a time', async () => {
    const { store } = seenStore();
    const instances = [sharedTokens({ store, key })(ann), sharedTokens({ store, key })(ann)];
    let inside = 0;
    const act = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
    };
    await Promise.all([...instances, ...instances].map(async (each) => each.exclusively?.(where, act)));
    expect(inside).toBe(0);
    const failing = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(instances[0]?.exclusively?.(where, failing)).rejects.toThrow('no');
    expect(await instances[1]?.exclusively?.(where, () => Promise.resolve('free'))).toBe('free');
  });
});

describe('two gateways with one store', () => {
  const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

  it('share the sign-in of a caller, and refresh their tokens once', async () => {
    const upstream = await protectedUpstream();
    const { by } = upstream;
    const { store } = seenStore();
    const one = await signInGateway(upstream, sharedTokens({ store, key }));
    const other = await signInGateway(upstream, sharedTokens({ store, key }));
    const first = await one.client(one.signingIn);
    await first.callTool('up_sign_in');
    const second = await other.client();
    expect(textOf(await first.callTool('up_who'))).toBe('ann');
    expect(textOf(await second.callTool('up_who'))).toBe('ann');
    upstream.rejectTokens();
    const both = await Promise.all([first, second].map((client) => client.callTool('up_who')));
    expect(both.map(textOf)).toEqual(['ann', 'ann']);
    expect(by.forms().filter((form) => form.grant_type === 'refresh_token')).toHaveLength(1);
  });

  it('continue when the caller signs in at another instance', async () => {
    const upstream = await protectedUpstream();
    const { store } = seenStore();
    const one = await signInGateway(upstream, sharedTokens({ store, key }));
    const other = await signInGateway(upstream, sharedTokens({ store, key }));
    const second = await other.client();
    await expect(second.callTool('up_sign_in')).rejects.toThrow('needs your login');
    const first = await one.client(one.signingIn);
    await first.callTool('up_sign_in');
    expect(textOf(await second.callTool('up_sign_in'))).toContain('You are signed in');
    expect(textOf(await second.callTool('up_who'))).toBe('ann');
  });
});
