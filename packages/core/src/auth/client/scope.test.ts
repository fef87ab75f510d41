import { describe, expect, it } from 'vitest';
import { needsMoreScopes, chooseScopes } from './token-auth.ts';

const nothing = {
  challenged: undefined,
  supported: undefined,
  preferred: undefined,
  earlier: undefined,
  known: undefined,
};

describe('the scopes to ask for', () => {
  it('are those of the challenge before all others (C-A-08)', () => {
    expect(chooseScopes({ ...nothing, challenged: 'a  b', supported: ['c'], preferred: 'd' })).toEqual(['a', 'b']);
  });

  it('are all that the server lists, if the challenge has none (C-A-08)', () => {
    expect(chooseScopes({ ...nothing, supported: ['c', 'd'], preferred: 'e' })).toEqual(['c', 'd']);
    expect(chooseScopes({ ...nothing, challenged: ' ', supported: ['c'] })).toEqual(['c']);
  });

  it('are those the application prefers, if the server names none', () => {
    expect(chooseScopes({ ...nothing, preferred: 'e f' })).toEqual(['e', 'f']);
  });

  it('are omitted if none are named (C-A-08)', () => {
    expect(chooseScopes({ ...nothing, known: ['a', 'offline_access'] })).toEqual([]);
  });

  it('keep earlier ones (C-A-08)', () => {
    expect(chooseScopes({ ...nothing, earlier: 'a b', challenged: 'b c' })).toEqual(['a', 'b', 'c']);
  });

  it('include offline_access if the authorization server lists it', () => {
    expect(chooseScopes({ ...nothing, supported: ['a'], known: ['offline_access'] })).toEqual(['a', 'offline_access']);
  });

  it.each([[undefined], [['a']]])('do not include offline_access if it lists %s', (known) => {
    const all = { challenged: 'a offline_access', supported: ['offline_access'], preferred: undefined };
    expect(chooseScopes({ ...all, earlier: 'offline_access', known })).toEqual(['a']);
  });
});

describe('a challenge', () => {
  it.each([
    ['a', undefined, true],
    ['a b', 'a', true],
    ['a', 'b a', false],
    ['', 'a', false],
    [undefined, undefined, false],
  ])('for %j after %j requests more scopes: %j', (challenged, earlier, more) => {
    expect(needsMoreScopes(challenged, earlier)).toBe(more);
  });
});
