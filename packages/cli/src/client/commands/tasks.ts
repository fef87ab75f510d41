import {
  type RemoteTask,
  type RemoteTasks,
  type TaskHandle,
  TaskGoneError,
  type TaskQuestion,
  tasksOf,
} from '@ccmcp/core/tasks';
import { toOneLine } from '../../terminal/print.ts';
import { showResult } from '../describe/result.ts';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { stylePageLine } from '../../terminal/wrap.ts';
import { toSchema } from '../describe/schema.ts';
import { schemaRows } from '../describe/schema-rows.ts';
import { type TaskVerb, taskVerbs } from '../options.ts';
import { formatState, waitForTask } from '../tasks/wait-for-task.ts';
import { parseToolArguments } from '../arguments/arguments.ts';
import { isAttended } from '../questions/ask.ts';

/** Lists the tasks of this user at a server, shows one, waits for it, answers what it asks, or cancels it. */
export async function run(context: Context, words: readonly string[]): Promise<void> {
  const [verb, id, ...rest] = words;
  const remote = tasksOf(context.client);
  if (verb === undefined) return list(context, remote);
  if (!isVerb(verb)) throw new Failure('usage', `"${verb}" is none of ${taskVerbs.join(', ')}`);
  if (id === undefined) throw new Failure('usage', `The id of a task is missing: ccmcp tasks TARGET ${verb} ID`);
  if (rest.length > 0 && verb !== 'answer') throw new Failure('usage', `Unexpected argument: ${rest.join(' ')}`);
  await actions[verb](context, await find(remote, id), rest);
}

type Act = (context: Context, task: RemoteTask, words: readonly string[]) => Promise<void>;

const actions: Readonly<Record<TaskVerb, Act>> = {
  show,
  wait,
  answer: answerTask,
  cancel,
};

function isVerb(word: string): word is TaskVerb {
  return Object.hasOwn(actions, word);
}

/** Finds a task by its id, or by the prefix of a stored one. */
async function find(remote: RemoteTasks, id: string): Promise<RemoteTask> {
  const kept = await remote.list();
  const meant = kept.filter(({ taskId }) => taskId === id || taskId.startsWith(id));
  const exact = meant.find(({ taskId }) => taskId === id);
  if (exact === undefined && meant.length > 1) {
    throw new Failure('usage', `"${id}" may be ${meant.map(({ taskId }) => taskId).join(' or ')}`);
  }
  return remote.resume(exact ?? meant[0] ?? id).catch((error: unknown) => {
    throw error instanceof TypeError ? new Failure('unknown-name', error.message, { cause: error }) : error;
  });
}

async function list({ output, terminal, target }: Context, remote: RemoteTasks): Promise<void> {
  const rows: Row[] = [];
  for (const handle of await remote.list()) {
    const row = await rowOf(remote, handle);
    if (row !== undefined) rows.push(row);
  }
  const text = (): string => (rows.length === 0 ? noTasksText(target.kind) : rows.map(rowText).join('\n'));
  await output.long({ tasks: rows }, text, { look: stylePageLine, terminal });
}

function noTasksText(kind: Context['target']['kind']): string {
  if (kind === 'url') return 'There is no stored task for this server';
  return 'There is no stored task: tasks of a server that the command starts end with it';
}

interface Row extends TaskHandle {
  status: string;
  statusMessage?: string;
}

/** The current state of a task; undefined if the server has no such task. */
async function rowOf(remote: RemoteTasks, handle: TaskHandle): Promise<Row | undefined> {
  try {
    const { status, statusMessage } = await remote.resume(handle);
    return { ...handle, status, ...(statusMessage !== undefined && { statusMessage }) };
  } catch (error) {
    if (error instanceof TaskGoneError) return undefined;
    throw error;
  }
}

function rowText({ taskId, tool, createdAt, ttlMs, ...state }: Row): string {
  return [
    `${toOneLine(taskId)}  ${formatState(state)}`,
    `    ${toOneLine(tool ?? 'a tool')}, since ${toOneLine(createdAt)}${untilText({ createdAt, ttlMs })}`,
  ].join('\n');
}

function untilText({ createdAt, ttlMs }: Pick<TaskHandle, 'createdAt' | 'ttlMs'>): string {
  const end = Date.parse(createdAt) + (ttlMs ?? Number.NaN);
  return Number.isFinite(end) && end < 8.64e15 ? `, kept until ${new Date(end).toISOString()}` : '';
}

async function show({ output, terminal }: Context, { task, handle, questions }: RemoteTask): Promise<void> {
  if (task === undefined || handle === undefined) return;
  const text = (): string =>
    [
      rowText({ ...handle, ...task }),
      ...questions.map(questionText),
      ...(task.error === undefined ? [] : [`    ${toOneLine(task.error.message)} (${task.error.code})`]),
    ].join('\n');
  await output.long({ ...handle, ...task }, text, { look: stylePageLine, terminal });
}

/** A question of a task, with the fields of the answer. */
function questionText({ key, method, params }: TaskQuestion): string {
  const asked = typeof params?.message === 'string' ? params.message : method;
  const fields = schemaRows(toSchema(params?.requestedSchema)).map(
    ({ path, type, isRequired, about }) =>
      `        ${toOneLine(path)}${isRequired ? '' : '?'}: ${toOneLine([type, ...about].join('; '))}`,
  );
  return [`    asks (${toOneLine(key)}): ${toOneLine(asked)}`, ...fields].join('\n');
}

async function wait(context: Context, task: RemoteTask): Promise<void> {
  await showResult(context, task.handle?.tool ?? 'The tool', await waitForTask(context, task, { cancels: false }));
}

async function cancel({ output }: Context, task: RemoteTask): Promise<void> {
  await task.cancel();
  // Servers may delete ended tasks. If the server is unreachable, the state is unknown.
  const status = await task
    .refresh()
    .catch((error: unknown) => (error instanceof TaskGoneError ? 'cancelled' : undefined));
  output.value({ taskId: task.taskId, status }, () =>
    status === 'cancelled'
      ? 'The task was cancelled'
      : `The task was asked to stop${status ? `: it is ${status}` : ''}`,
  );
}

/** Answers the questions of a task: by fields of the command line, else by asking the user. */
async function answerTask(context: Context, task: RemoteTask, words: readonly string[]): Promise<void> {
  const { questions } = task;
  if (task.status !== 'input_required') {
    throw new Failure('usage', `The task asks nothing at the moment: ${formatState(task)}`);
  }
  if (words.length > 0) {
    await answerForm(context, task, questions, words);
    await task.refresh();
    return reportAnswered(context, task);
  }
  if (!isAttended() && questions.some(({ method }) => method === 'elicitation/create')) {
    throw new Failure('usage', 'There is no terminal to ask on', {
      hint: `Give the fields: ccmcp tasks ${context.target.label} answer ${task.taskId} key=value …`,
    });
  }
  await askAll(context, task);
}

/** The fields of the one form that the task asks for. */
async function answerForm(
  { data }: Context,
  task: RemoteTask,
  questions: readonly TaskQuestion[],
  words: readonly string[],
): Promise<void> {
  const forms = questions.filter(({ method, params }) => method === 'elicitation/create' && params?.mode !== 'url');
  const [form, second] = forms;
  if (form === undefined || second !== undefined) {
    throw new Failure(
      'usage',
      `Fields answer one form, and the task asks for ${forms.length}: leave them out to be asked`,
    );
  }
  const inputSchema = form.params?.requestedSchema;
  const content = await parseToolArguments({ name: form.key, inputSchema }, words, data);
  await task.answer({ [form.key]: { action: 'accept', content } });
}

/** Answers question by question, until the task needs no more input. */
async function askAll(context: Context, task: RemoteTask): Promise<void> {
  const answered = new AbortController();
  const waiting = task.result({ signal: AbortSignal.any([context.signal, answered.signal]) });
  const end = waiting.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const continued = (async () => {
    for await (const { status } of task) if (status !== 'input_required') return status;
    return task.status;
  })();
  await Promise.race([continued, end]);
  if (task.status !== 'working') {
    const { result, error } = (await end) as { result?: Awaited<typeof waiting>; error?: unknown };
    if (result === undefined) throw error;
    return showResult(context, task.handle?.tool ?? 'The tool', result);
  }
  answered.abort(new Error('Answered'));
  const failed = (await end) as { error?: unknown };
  if (context.signal.aborted) throw failed.error;
  reportAnswered(context, task);
}

function reportAnswered({ output }: Context, task: RemoteTask): void {
  output.value({ taskId: task.taskId, status: task.status }, () => `Answered; the task is now ${formatState(task)}`);
}
