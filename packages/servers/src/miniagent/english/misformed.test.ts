import { describe, expect, it } from 'vitest';
import { misformedVerbs } from './suggestions.ts';

describe('the verb of a wrong form', () => {
  it.each([
    ['runned', 'run'],
    ['goed', 'go'],
    ['eated', 'eat'],
    ['wented', 'go'],
    ['tooken', 'take'],
    ['broked', 'break'],
    ['swimmed', 'swim'],
    ['catched', 'catch'],
    ['gived', 'give'],
    ['studyed', 'study'],
    ['stoped', 'stop'],
    ['visitted', 'visit'],
    ['begining', 'begin'],
    ['writting', 'write'],
    ['hopeing', 'hope'],
    ['panicing', 'panic'],
    ['haves', 'have'],
    ['underpayed', 'underpay'],
    ['overflied', 'overfly'],
  ])('%s: %s', (word, verb) => {
    expect(misformedVerbs(word)).toEqual([verb]);
  });

  it.each(['xyzzy', 'xyzzed', 'ed', 'ing', '', 'the', '__proto__'])('%j: none', (word) => {
    expect(misformedVerbs(word)).toEqual([]);
  });
});
