import { describe, expect, it } from 'vitest';
import { createTaskRecord, type TaskRecord } from '../task-record.ts';
import { encodeCreatedTask, toResult, withRelatedTask, encodeLegacyTask } from './wire-format.ts';

const related = 'io.modelcontextprotocol/related-task';
const made = {
  tool: 'x',
  ttlMs: 60_000,
  pollMs: 1000,
  createdAt: 0,
  countedAs: '',
  form: 'core',
  runsAgain: false,
} as const;
const working: TaskRecord = { ...createTaskRecord('t', made, { worker: 'w', call: '{}' }), updatedAt: 1000 };
const done: TaskRecord = {
  ...working,
  status: 'completed',
  outcome: { result: { content: [{ type: 'text', text: 'Done' }], isError: false } },
};
const encoded = {
  taskId: 't',
  status: 'working',
  createdAt: '1970-01-01T00:00:00.000Z',
  lastUpdatedAt: '1970-01-01T00:00:01.000Z',
  ttl: 60_000,
  pollInterval: 1000,
};

describe('a legacy task', () => {
  it('has the members that its schema names, and no other (S-TK-04)', () => {
    expect(encodeLegacyTask(working)).toEqual(encoded);
    expect(encodeCreatedTask(working)).toEqual({ task: encoded });
    const asking = { ...working, status: 'input_required', questions: { q: { method: 'roots/list' } } } as const;
    expect(encodeLegacyTask(asking)).toEqual({ ...encoded, status: 'input_required' });
    expect(encodeLegacyTask({ ...done, statusMessage: 'Almost' })).toEqual({
      ...encoded,
      status: 'completed',
      statusMessage: 'Almost',
    });
  });

  it("has failed when its tool returned an error, with the tool's message", () => {
    const result = { content: [{ type: 'text', text: 'No such city' }], isError: true };
    const failed = { ...done, outcome: { result } };
    expect(encodeLegacyTask(failed)).toMatchObject({ status: 'failed', statusMessage: 'No such city' });
    expect(toResult(failed.outcome)).toBe(result);
    const mute = { ...done, outcome: { result: { content: [], isError: true } } };
    expect(encodeLegacyTask(mute)).toEqual({ ...encoded, status: 'failed' });
  });

  it('has the result of its tool, or its exact error (S-TK-05)', () => {
    expect(toResult(done.outcome)).toEqual({ content: [{ type: 'text', text: 'Done' }], isError: false });
    const error = { code: -32002, message: 'No such thing', data: { uri: 'x' } };
    expect(() => toResult({ error })).toThrow(expect.objectContaining(error));
    expect(() => toResult(undefined)).toThrow('cancelled');
  });

  it('is named in related messages, beside existing metadata (S-TK-07)', () => {
    expect(withRelatedTask('t', { message: '?' })).toEqual({ message: '?', _meta: { [related]: { taskId: 't' } } });
    expect(withRelatedTask('t', { _meta: { other: 1 } })._meta).toEqual({ other: 1, [related]: { taskId: 't' } });
  });
});
