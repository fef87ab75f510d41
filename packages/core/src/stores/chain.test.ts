import { describe, expect, it } from 'vitest';
import { Chain, Link } from './chain.ts';

class Named extends Link {
  constructor(readonly name: string) {
    super();
  }
}

function chainOf(...links: Named[]): Chain<Named> {
  const chain = new Chain<Named>();
  for (const link of links) chain.add(link);
  return chain;
}

/** Takes out one after another from the front. */
function emptied(chain: Chain<Named>): string {
  let names = '';
  for (let link = chain.first; link !== undefined; link = chain.first) {
    names += link.name;
    chain.remove(link);
  }
  return names;
}

describe('a chain', () => {
  const [a, b, c] = [new Named('a'), new Named('b'), new Named('c')];

  it('has things in the order in which they were added', () => {
    const chain = chainOf(a, b, c);
    expect(chain.size).toBe(3);
    expect(emptied(chain)).toBe('abc');
    expect([chain.size, chain.first]).toEqual([0, undefined]);
  });

  it.each([
    [a, 'bca'],
    [b, 'acb'],
    [c, 'abc'],
  ])('puts one last, wherever it was: $name', (link, order) => {
    const chain = chainOf(a, b, c);
    chain.moveLast(link);
    expect(chain.size).toBe(3);
    expect(emptied(chain)).toBe(order);
  });

  it.each([
    [a, 'bc'],
    [b, 'ac'],
    [c, 'ab'],
  ])('lets one be taken out, wherever it was, and added again: $name', (link, order) => {
    const chain = chainOf(a, b, c);
    chain.remove(link);
    expect(chain.size).toBe(2);
    chain.add(link);
    expect(emptied(chain)).toBe(order + link.name);
  });
});
