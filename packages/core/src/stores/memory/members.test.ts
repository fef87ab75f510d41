import { describe, expect, it } from 'vitest';
import { Members } from './members.ts';

const anyRoom = Number.POSITIVE_INFINITY;

function membersOf(...add: string[]): Members {
  const members = new Members();
  members.alter({ add, remove: [] }, anyRoom);
  return members;
}

describe('members', () => {
  it('are added and removed once; an addition wins over a removal', () => {
    const members = membersOf('a', 'a', 'bb');
    expect([members.size, members.weight]).toEqual([2, 131]);
    expect(members.alter({ add: ['bb', 'c'], remove: ['a', 'bb', 'never there'] }, anyRoom)).toBe(true);
    expect([...members.copy()]).toEqual(['bb', 'c']);
    expect(members.weight).toBe(131);
    members.alter({ add: [], remove: ['bb', 'c'] }, anyRoom);
    expect([members.size, members.weight]).toEqual([0, 0]);
  });

  it('are returned as a copy', () => {
    const members = membersOf('a');
    const before = members.copy();
    members.alter({ add: ['b'], remove: ['a'] }, anyRoom);
    expect([...before]).toEqual(['a']);
  });

  it.each([
    ['number', { count: 2, length: 100 }, anyRoom],
    ['length', { count: 100, length: 2 }, anyRoom],
    ['weight of all', undefined, 64],
  ])('are rejected together if there would be too many by %s', (_, max, room) => {
    const members = membersOf('a');
    const given = max === undefined ? {} : { max };
    expect(members.alter({ add: ['b', 'c'], remove: [], ...given }, room)).toBe(false);
    expect([...members.copy()]).toEqual(['a']);
    expect(members.alter({ add: ['a'], remove: [], ...given }, room)).toBe(true);
    expect(members.alter({ add: ['b'], remove: ['a'], ...given }, room)).toBe(true);
    expect([...members.copy()]).toEqual(['b']);
  });

  it('can be removed above the limit', () => {
    const members = membersOf('a', 'b', 'c');
    expect(members.alter({ add: [], remove: ['a'], max: { count: 1, length: 1 } }, 0)).toBe(true);
    expect(members.size).toBe(2);
  });
});
