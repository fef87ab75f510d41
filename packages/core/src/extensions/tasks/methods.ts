import { jsonLength } from '../../jsonrpc/size.ts';
import { invalidParams, quotedBriefly } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';
import type { ExtensionMethod } from '../../server/extension.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { taskFor } from './find-task.ts';
import type { WorkshopOf } from './task-runners.ts';
import { detailedOf } from './wire-format.ts';
import { cancelled } from './task-transitions.ts';

/** Serves `tasks/update`: takes answers to questions of a task. Those to questions that do not wait are ignored. */
export function updateTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    mirrors: 'taskId',
    repeatable: true,
    async serve(operation) {
      const responses = checked(operation.params.inputResponses);
      const { store } = await workshopOf(operation);
      const known = await taskFor(operation, await workshopOf(operation));
      const record = await store.change(known.id, (now) => answered(now, responses), known);
      // Also where nothing changed: whoever works on it may not have heard of it the first time.
      if (record !== undefined) await store.tell(record);
      return {};
    },
  };
}

function checked(responses: unknown): Record<string, unknown> {
  if (!isObject(responses)) throw invalidParams('"inputResponses" must be an object with an answer for each question');
  for (const [key, answer] of Object.entries(responses)) {
    if (!isObject(answer))
      throw invalidParams(`"inputResponses": the answer to ${quotedBriefly(key)} must be an object`);
    if (jsonLength(answer) > limits.tasks.questionLength.value) {
      throw invalidParams(`An answer may have ${limits.tasks.questionLength.value} characters: give a shorter one`);
    }
  }
  return responses;
}

/** What answers change in a task; undefined: nothing. */
export function answered(
  { questions, answers }: TaskRecord,
  responses: Readonly<Record<string, unknown>>,
): TaskChanges | undefined {
  const entries = Object.entries(questions);
  const open = entries.filter(([key]) => !Object.hasOwn(responses, key));
  if (open.length === entries.length) return undefined;
  const given = entries.flatMap(([key]) => (Object.hasOwn(responses, key) ? [[key, responses[key]]] : []));
  return {
    questions: Object.fromEntries(open),
    answers: { ...answers, ...Object.fromEntries(given) },
    status: open.length === 0 ? 'working' : 'input_required',
  };
}

/** Serves `tasks/get`: how a task stands, with its questions or its result. */
export function getTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    mirrors: 'taskId',
    repeatable: true,
    async serve(operation) {
      const record = await taskFor(operation, await workshopOf(operation));
      return { ...detailedOf(record, (outcome) => operation.told(outcome, record.tool)) };
    },
  };
}

/** Serves `tasks/cancel`: tells whoever works on a task to stop. One that is over stays as it is. */
export function cancelTask(workshopOf: WorkshopOf): ExtensionMethod {
  return {
    mirrors: 'taskId',
    repeatable: true,
    urgent: true,
    async serve(operation) {
      const { store } = await workshopOf(operation);
      const known = await taskFor(operation, await workshopOf(operation));
      const change = ({ worker, cancelling }: typeof known): ReturnType<typeof cancelled> | undefined => {
        if (worker === '') return cancelled();
        return cancelling ? undefined : { cancelling: true };
      };
      const record = await store.change(known.id, change, known);
      // Also where nothing changed: whoever works on it may not have heard of it the first time.
      if (record !== undefined) await store.tell(record);
      return {};
    },
  };
}
