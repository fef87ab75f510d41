import { describe, expect, it } from 'vitest';
import { toTemplate, fromTemplate, createTaskRecord, type TaskPlan, type TaskRecord } from './task-record.ts';
import { createTaskId } from './task-id.ts';

const plan: TaskPlan = {
  tool: 'work',
  ttlMs: 60_000,
  pollMs: 1000,
  principal: 'ann',
  scopes: ['read', 'write'],
  countedAs: 'ann',
  form: 'extension',
  runsAgain: false,
};
const createdAt = 1_800_000_000_000;

function made(more: Partial<TaskPlan> = {}, worker = 'one'): TaskRecord {
  const task = { ...plan, ...more, createdAt };
  return createTaskRecord(createTaskId(createdAt, task.ttlMs), task, { worker, call: '{}' });
}

describe('templates of new tasks', () => {
  it('are shared by equal tasks', () => {
    expect(toTemplate(made())).toBe(toTemplate(made({ scopes: ['read', 'write'] })));
  });

  it.each([
    [{ principal: 'bob' }],
    [{ principal: undefined }],
    [{ scopes: ['read'] }],
    [{ scopes: ['write', 'read'] }],
    [{ scopes: undefined }],
    [{ ttlMs: 1 }],
    [{ runsAgain: true }],
    [{ form: 'core' as const }],
    [{ tool: 'other' }],
    [{ countedAs: 'bob' }],
  ])('differ for a task with %j, in either order', (more) => {
    for (const [first, second] of [
      [made(), made(more)],
      [made(more), made()],
    ] as const) {
      toTemplate(first);
      expect(fromTemplate(second.id, toTemplate(second))).toEqual({ ...second, call: undefined });
    }
    expect(toTemplate(made({}, 'another')).worker).toBe('another');
  });
});
