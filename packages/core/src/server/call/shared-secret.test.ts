import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { type StateBinding, StateSeal } from './request-state.ts';
import { SharedSecret } from './shared-secret.ts';

const binding: StateBinding = { method: 'tools/call', params: { name: 'ask' }, principal: undefined };
const state = { answers: { first: 'yes' } };

function seal(secrets: Uint8Array[] = [], name = 'server'): StateSeal {
  return new StateSeal({ secrets, lifetimeMs: 60_000, name });
}

function secret(first: number): Uint8Array {
  return new Uint8Array(32).fill(first);
}

/** Lets time pass, until the test is over. */
function pass(milliseconds: number): void {
  const later = performance.now() + milliseconds;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
  onTestFinished(() => clock.mockRestore());
}

describe('a generated secret', () => {
  it('is one for all instances that share a store', async () => {
    const store = memoryStore();
    const [one, two] = [seal(), seal()];
    expect(await two.open(await one.close(state, binding, { store }), binding, store)).toMatchObject(state);
    expect(await one.open(await two.close(state, binding, { store }), binding, store)).toMatchObject(state);
  });

  it('is not shared with a server of another name, nor by instances with a configured one', async () => {
    const store = memoryStore();
    const [one, other, given] = [seal(), seal([], 'other'), seal([secret(1)])];
    const text = await one.close(state, binding, { store });
    await expect(other.open(text, binding, store)).rejects.toThrow('not one that this server gave out');
    await expect(given.open(text, binding, store)).rejects.toThrow('not one that this server gave out');
    const signed = await given.close(state, binding, { store });
    expect(await seal([secret(2), secret(1)]).open(signed, binding, store)).toMatchObject(state);
  });

  it('is local while the store fails, and stays valid there', async () => {
    const broken = (): never => {
      throw new Error('away');
    };
    let isAway = true;
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      read: (...given) => (isAway ? broken() : inner.read(...given)),
      claim: (...given) => (isAway ? broken() : inner.claim(...given)),
    };
    const one = seal();
    const text = await one.close(state, binding, { store });
    expect(await one.open(text, binding, store)).toMatchObject(state);
    isAway = false;
    expect(await one.open(text, binding, store)).toMatchObject(state);
  });

  it('is restored by an instance that knows it after the store was emptied', async () => {
    const store = memoryStore();
    const one = new SharedSecret(store, 'server', secret(1));
    expect(await one.readSecrets()).toEqual([secret(1)]);
    await store.remove('state-secret/server');
    pass(1000);
    await one.refreshSecrets();
    expect(await store.claim('state-secret/server', { ttlMs: 1, kind: 'state-secret', limit: 100 })).toBe(false);
    const [first, second] = await new SharedSecret(store, 'server', secret(2)).readSecrets();
    expect([Array.from(first ?? []), second]).toEqual([Array.from(secret(1)), secret(2)]);
  });

  it('is read again when a state was signed with another one', async () => {
    const store = memoryStore();
    const one = seal();
    await one.close(state, binding, { store });
    await store.remove('state-secret/server');
    const text = await seal().close(state, binding, { store });
    pass(1000);
    expect(await one.open(text, binding, store)).toMatchObject(state);
  });

  it('asks the store a bounded number of times, whatever comes', async () => {
    let asked = 0;
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      read: (...given) => {
        asked += 1;
        return inner.read(...given);
      },
    };
    const one = seal();
    const text = await one.close(state, binding, { store });
    const forged = `${text.slice(0, -4)}AAAA`;
    for (let i = 0; i < 200; i += 1) await one.open(forged, binding, store).catch(() => {});
    expect(asked).toBeLessThan(20);
  });

  it('that is too short in the store does not count', async () => {
    const store = memoryStore();
    await store.create('state-secret/server', { secret: 'AAAA' }, { ttlMs: 60_000, kind: 'state-secret', limit: 100 });
    expect(await new SharedSecret(store, 'server', secret(1)).readSecrets()).toEqual([secret(1)]);
  });
});
