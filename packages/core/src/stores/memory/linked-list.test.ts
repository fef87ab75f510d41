import { describe, expect, it } from 'vitest';
import { LinkedList, ListNode } from './linked-list.ts';

class Named extends ListNode {
  constructor(readonly name: string) {
    super();
  }
}

function listOf(...nodes: Named[]): LinkedList<Named> {
  const list = new LinkedList<Named>();
  for (const node of nodes) list.add(node);
  return list;
}

/** Takes out one after another from the front. */
function emptied(list: LinkedList<Named>): string {
  let names = '';
  for (let node = list.first; node !== undefined; node = list.first) {
    names += node.name;
    list.remove(node);
  }
  return names;
}

describe('a linked list', () => {
  const [a, b, c] = [new Named('a'), new Named('b'), new Named('c')];

  it('keeps the order of additions', () => {
    const list = listOf(a, b, c);
    expect(list.size).toBe(3);
    expect(emptied(list)).toBe('abc');
    expect([list.size, list.first]).toEqual([0, undefined]);
  });

  it.each([
    [a, 'bca'],
    [b, 'acb'],
    [c, 'abc'],
  ])('moves a node to the end from any position: $name', (node, order) => {
    const list = listOf(a, b, c);
    list.moveLast(node);
    expect(list.size).toBe(3);
    expect(emptied(list)).toBe(order);
  });

  it.each([
    [a, 'bc'],
    [b, 'ac'],
    [c, 'ab'],
  ])('removes a node from any position, to be added again: $name', (node, order) => {
    const list = listOf(a, b, c);
    list.remove(node);
    expect(list.size).toBe(2);
    list.add(node);
    expect(emptied(list)).toBe(order + node.name);
  });
});
