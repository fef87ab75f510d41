import { expect, it } from 'vitest';
import { Registry } from './registry.ts';

function numbers(): { registry: Registry<string>; changes: () => number } {
  let changes = 0;
  const registry = new Registry<string>({
    what: 'number',
    prepare: (key, position) => ({ key, position }),
    itemOf: ({ key }) => key,
    changed: () => void (changes += 1),
  });
  return { registry, changes: () => changes };
}

const keysOf = (registry: Registry<string>): string[] => registry.list.map(({ key }) => key);

it('any number of items is added as one change', () => {
  const { registry, changes } = numbers();
  registry.addAll(Array.from({ length: 200_000 }, (_, each) => String(each)));
  expect([registry.size, changes()]).toEqual([200_000, 1]);
  registry.addAll([]);
  registry.add();
  expect(changes()).toBe(1);
});

it('the list is one array between two changes, and another after each', () => {
  const { registry } = numbers();
  registry.add('one', 'two');
  const before = registry.list;
  expect(registry.list).toBe(before);
  registry.remove('none');
  expect(registry.list).toBe(before);
  registry.add('three');
  registry.remove('one');
  expect(before.map(({ key }) => key)).toEqual(['one', 'two']);
  expect(keysOf(registry)).toEqual(['two', 'three']);
  expect(() => registry.add('four', 'two')).toThrow('There is already a number "two"');
  expect(keysOf(registry)).toEqual(['two', 'three']);
});
