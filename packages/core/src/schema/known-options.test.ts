import { describe, expect, it } from 'vitest';
import { assertKnownOptions } from './known-options.ts';

describe('options', () => {
  const names = ['ttlMs', 'maxInAll'];
  const rejected = (options: object): string => {
    try {
      assertKnownOptions('tasks', options, names);
    } catch (error) {
      return String(error);
    }
    return '';
  };

  it('are accepted if they are known', () => {
    expect(rejected({})).toBe('');
    expect(rejected({ ttlMs: 1, maxInAll: undefined })).toBe('');
  });

  it('are rejected if they are unknown, with the closest name', () => {
    expect(rejected({ ttlMS: 1 })).toBe('TypeError: tasks has no option "ttlMS": did you mean "ttlMs"?');
    expect(rejected({ maxinal: 1 })).toBe('TypeError: tasks has no option "maxinal": did you mean "maxInAll"?');
    expect(rejected({ ttl: 1 })).toBe('TypeError: tasks has no option "ttl": did you mean "ttlMs"?');
    expect(rejected({ ttlMsOfAll: 1 })).toBe('TypeError: tasks has no option "ttlMsOfAll": did you mean "ttlMs"?');
    expect(rejected({ store: 1 })).toBe('TypeError: tasks has no option "store": it has ttlMs, maxInAll');
  });
});
