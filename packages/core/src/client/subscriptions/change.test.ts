import { describe, expect, it } from 'vitest';
import { changeOf } from './change.ts';

describe('a notification of a change', () => {
  it.each([
    ['notifications/tools/list_changed', {}, { kind: 'tools' }],
    ['notifications/prompts/list_changed', {}, { kind: 'prompts' }],
    ['notifications/resources/list_changed', {}, { kind: 'resources' }],
    ['notifications/resources/updated', { uri: 'a:b' }, { kind: 'resource', uri: 'a:b' }],
    ['notifications/resources/updated', { uri: 7 }, undefined],
    ['notifications/message', {}, undefined],
  ])('%s %j says %j', (method, params, change) => {
    expect(changeOf(method, params)).toEqual(change);
  });
});
