import type { RemoteTask, TaskQuestion } from '@ccmcp/core/tasks';
import { parseToolArguments } from '../arguments/arguments.ts';
import { isAttended } from '../questions/ask.ts';
import { showResult } from '../describe/call-result.ts';
import type { Context } from '../context.ts';
import { Failure } from '../../command/failure.ts';
import { formatState } from './wait-for-task.ts';

/** Answers the questions of a task: by fields of the command line, else by asking the user. */
export async function answerTask(context: Context, task: RemoteTask, words: readonly string[]): Promise<void> {
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
  const goesOn = (async () => {
    for await (const { status } of task) if (status !== 'input_required') return status;
    return task.status;
  })();
  await Promise.race([goesOn, end]);
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
