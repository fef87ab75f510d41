import { describe, expect, it } from 'vitest';
import type { CredentialsRequest } from '../../../../auth/server/authenticator.ts';
import { type CallerOf, Callers } from './callers.ts';

const whole = { calls: 40, waiting: 40, streams: 20, subscriptions: 400, incoming: 4000 };

function callers(options: { share?: number; callerOf?: CallerOf } = {}): Callers {
  return new Callers({ whole, share: 25, ...options });
}

function request(address?: string, headers: Record<string, string> = {}): CredentialsRequest {
  return { method: 'POST', path: '/mcp', address, header: (name) => headers[name] };
}

function inSession(id: string, address = '10.0.0.1'): CredentialsRequest {
  return request(address, { 'mcp-session-id': id });
}

describe('a caller', () => {
  it('is the principal, else the session, else the address', () => {
    const all = callers();
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const ann = { principal: 'ann' };
    expect(all.of(inSession(one), ann)).toBe(all.of(request('10.0.0.2'), ann));
    expect(all.of(inSession(one), ann).key).toBe('principal ann');
    expect(all.of(inSession(one), undefined)).toBe(all.of(inSession(one, '10.0.0.2'), undefined));
    expect(all.of(inSession(one), undefined).key).toBe(`session ${one}`);
    expect(all.of(inSession(one), undefined)).not.toBe(all.of(inSession(two), undefined));
    expect(all.of(request('10.0.0.1'), undefined).key).toBe('address 10.0.0.1');
    expect(all.of(request('2001:db8::1'), undefined)).toBe(all.of(request('2001:db8::2'), undefined));
  });

  it('is named by callerOf, if that returns a name', () => {
    const all = callers({ callerOf: ({ header, auth }) => auth?.principal ?? header('x-forwarded-for') });
    expect(all.of(request('10.0.0.1', { 'x-forwarded-for': '1.2.3.4' }), undefined).key).toBe('caller 1.2.3.4');
    expect(all.of(request('10.0.0.1'), { principal: 'ann' }).key).toBe('caller ann');
    expect(all.of(request('10.0.0.1'), undefined).key).toBe('address 10.0.0.1');
    expect(all.of(request('10.0.0.1', { 'x-forwarded-for': 'x'.repeat(9999) }), undefined).key.length).toBeLessThan(
      300,
    );
  });

  it('is not taken from arbitrary headers, nor from an invalid session id', () => {
    const all = callers();
    const headers = { 'x-forwarded-for': '1.2.3.4', 'mcp-session-id': 'x'.repeat(9999) };
    expect(all.of(request('10.0.0.1', headers), undefined)).toBe(all.of(request('10.0.0.1'), undefined));
  });
});

describe('the owner of a session', () => {
  it('is a principal, a named caller or an address, and undefined if unknown', () => {
    const all = callers({ callerOf: ({ header }) => header('x-name') });
    const id = crypto.randomUUID();
    expect(all.of(inSession(id), { principal: 'ann' }).owner).toBe('principal ann');
    expect(all.of(request('10.0.0.1', { 'x-name': 'n' }), undefined).owner).toBe('caller n');
    expect(all.of(inSession(id), undefined).owner).toBe('address 10.0.0.1');
    expect(all.of(request('10.0.0.1'), undefined).owner).toBe('address 10.0.0.1');
    expect(all.of(request(), undefined).owner).toBeUndefined();
  });
});

describe('the share of a caller', () => {
  it('is a quarter for one caller, and at least one of everything', () => {
    const { quota } = callers().of(request('10.0.0.1'), undefined);
    expect(quota).toEqual({ calls: 10, waiting: 10, streams: 5, subscriptions: 100, incoming: 1000 });
    const few = new Callers({ whole: { ...whole, calls: 2 }, share: 25 });
    expect(few.of(request('10.0.0.1'), undefined).quota.calls).toBe(1);
  });

  it('is half for all anonymous callers of one address, however many sessions they have', () => {
    const all = callers();
    for (let each = 0; each < 4; each++) {
      const caller = all.of(inSession(crypto.randomUUID()), undefined);
      while (caller.full('calls') === undefined) caller.take('calls');
    }
    expect(all.all.calls).toBe(20);
    expect(all.of(inSession(crypto.randomUUID()), undefined).full('calls')?.scope).toBe('address');
    expect(all.of(request('10.0.0.1'), { principal: 'ann' }).full('calls')).toBeUndefined();
    expect(all.of(request('10.0.0.2'), undefined).full('calls')).toBeUndefined();
  });

  it('is everything at 100 percent, and for unknown callers', () => {
    for (const caller of [
      callers({ share: 100 }).of(request('10.0.0.1'), undefined),
      callers().of(request(), undefined),
    ]) {
      for (let each = 0; each < 40; each++) {
        expect(caller.full('calls')).toBeUndefined();
        caller.take('calls');
      }
      expect(caller.full('calls')?.scope).toBe('server');
    }
  });
});

describe('idle callers', () => {
  it('with a session are evicted too: few are kept, however many sessions there are', () => {
    const all = callers();
    const of = (index: number) =>
      all.of(request('192.0.2.1', { 'mcp-session-id': `${index}`.padStart(36, '0') }), undefined);
    const [first, held] = [of(0), of(1)];
    held.lease = { calls: 1, streams: 0, touched: true, grow: () => true };
    for (let index = 2; index < 1500; index++) of(index);
    expect(of(0)).not.toBe(first);
    expect(of(1)).toBe(held);
    expect(of(1499)).toBe(of(1499));
  });

  it('are evicted above the limit, busy ones are not', () => {
    const all = callers();
    const busy = all.of(request('busy'), undefined);
    const idle = all.of(request('idle'), undefined);
    busy.take('streams');
    for (let each = 0; each < 10_000; each++) all.of(request(`10.0.${each}`), undefined);
    expect(all.of(request('busy'), undefined)).toBe(busy);
    expect(all.of(request('idle'), undefined)).not.toBe(idle);
  });
});
