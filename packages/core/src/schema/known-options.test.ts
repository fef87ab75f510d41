import { describe, expect, it } from 'vitest';
import { assertKnownOptions } from './known-options.ts';

describe('options', () => {
  const names = ['ttlMs', 'maxInAll'];
  const refused = (options: object): string => {
    try {
      assertKnownOptions('tasks', options, names);
    } catch (error) {
      return String(error);
    }
    return '';
  };

  it('are taken where there are such', () => {
    expect(refused({})).toBe('');
    expect(refused({ ttlMs: 1, maxInAll: undefined })).toBe('');
  });

  it('are refused where there are none, with the one that was probably meant', () => {
    expect(refused({ ttlMS: 1 })).toBe('TypeError: tasks has no option "ttlMS": did you mean "ttlMs"?');
    expect(refused({ maxinal: 1 })).toBe('TypeError: tasks has no option "maxinal": did you mean "maxInAll"?');
    expect(refused({ ttl: 1 })).toBe('TypeError: tasks has no option "ttl": did you mean "ttlMs"?');
    expect(refused({ ttlMsOfAll: 1 })).toBe('TypeError: tasks has no option "ttlMsOfAll": did you mean "ttlMs"?');
    expect(refused({ store: 1 })).toBe('TypeError: tasks has no option "store": it has ttlMs, maxInAll');
  });
});
