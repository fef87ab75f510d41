import { jsonLength } from '../../jsonrpc/size.ts';
import { invalidParams, quoteBriefly } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import type { ExtensionMethod } from '../../server/extension.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { requireTask } from './find-task.ts';
import type { GetTaskRunner } from './task-runner.ts';
import { encodeDetailedTask } from './wire-format.ts';
import { toCancelled } from './task-transitions.ts';
import { questionLength } from './task-questions.ts';

/** Serves `tasks/update`: applies answers to questions of a task. Answers to other questions are ignored. */
export function updateTask(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => {
    const responses = parseResponses(operation.params.inputResponses);
    const { store } = await getRunner(operation);
    const known = await requireTask(operation, await getRunner(operation));
    const record = await store.update(known.id, (now) => applyAnswers(now, responses), known);
    // Also without a change: the worker may have missed the first notification.
    if (record !== undefined) await store.publish(record);
    return {};
  };
}

function parseResponses(responses: unknown): Record<string, unknown> {
  if (!isObject(responses)) throw invalidParams('"inputResponses" must be an object with an answer for each question');
  for (const [key, answer] of Object.entries(responses)) {
    if (!isObject(answer))
      throw invalidParams(`"inputResponses": the answer to ${quoteBriefly(key)} must be an object`);
    if (jsonLength(answer) > questionLength) {
      throw invalidParams(`An answer may have ${questionLength} characters: give a shorter one`);
    }
  }
  return responses;
}

/** The changes that answers make; undefined: none. */
export function applyAnswers(
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

/** Serves `tasks/get`: the task with its questions or outcome. */
export function getTask(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => {
    const record = await requireTask(operation, await getRunner(operation));
    return { ...encodeDetailedTask(record, (outcome) => operation.toRevision(outcome, record.tool)) };
  };
}

/** Serves `tasks/cancel`: asks the worker of a task to stop. No effect on a finished task. */
export function cancelTask(getRunner: GetTaskRunner): ExtensionMethod['serve'] {
  return async (operation) => {
    const { store } = await getRunner(operation);
    const known = await requireTask(operation, await getRunner(operation));
    const change = ({ worker, cancelling }: typeof known): ReturnType<typeof toCancelled> | undefined => {
      if (worker === '') return toCancelled();
      return cancelling ? undefined : { cancelling: true };
    };
    const record = await store.update(known.id, change, known);
    // Also without a change: the worker may have missed the first notification.
    if (record !== undefined) await store.publish(record);
    return {};
  };
}
