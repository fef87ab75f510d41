import { expect, test } from 'vitest';
import { revisionOf } from '../../revisions/history.ts';
import type { Caller, Revision } from '../../revisions/revision.ts';
import { internCaller } from './background-job.ts';

test('shares equal callers, without their log level', () => {
  const one = internCaller({ ...caller('one'), logLevel: 'debug' });
  expect(internCaller(caller('one'))).toBe(one);
  expect(one).toEqual(caller('one'));
});

test('distinguishes callers by name, capabilities and revision', () => {
  const one = internCaller(caller('one'));
  expect(internCaller(caller('two')).clientInfo?.name).toBe('two');
  expect(internCaller({ ...caller('one'), capabilities: { sampling: {} } }).capabilities).toEqual({ sampling: {} });
  expect(internCaller(caller('one', '2025-11-25'))).not.toBe(one);
});

test('forgets those that it knew before they are too many, and never keeps a long one', () => {
  const one = internCaller(caller('one'));
  for (let index = 0; index < 100; index++) internCaller(caller(`client ${index}`));
  expect(internCaller(caller('one'))).not.toBe(one);
  const long = 'x'.repeat(1000);
  expect(internCaller(caller(long))).not.toBe(internCaller(caller(long)));
});

function caller(name: string, version = '2026-07-28'): Caller {
  const revision = revisionOf(version) as Revision;
  return { revision, capabilities: {}, clientInfo: { name, version: '1' }, logLevel: undefined };
}
