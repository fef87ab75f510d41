import { maxSubscribedTasks } from './task-takeover.ts';
import { invalidParams } from '../../jsonrpc/errors.ts';
import type { Params } from '../../jsonrpc/message.ts';
import type { Listening } from '../../server/extension.ts';
import type { Operation } from '../../server/call/operation.ts';
import { taskFilter, taskNotification } from './protocol.ts';
import { findTask, readTask } from './find-task.ts';
import { publicTaskId } from './task-id.ts';
import { encodeDetailedTask } from './wire-format.ts';
import type { GetTaskRunner, TaskRunner } from './task-runner.ts';

type Notify = (method: string, params: Params) => void;

/** Subscribes clients to tasks: each gets the current state, and every change. Unknown tasks are left out. */
export function subscribeToTasks(getRunner: GetTaskRunner) {
  return async (wish: unknown, operation: Operation): Promise<Listening | undefined> => {
    if (!Array.isArray(wish) || !wish.every((id) => typeof id === 'string')) {
      throw invalidParams(`"notifications.${taskFilter}" must be a list of ids`);
    }
    if (wish.length > maxSubscribedTasks)
      throw invalidParams(`"notifications.${taskFilter}" may name ${maxSubscribedTasks} tasks: listen to fewer`);
    const runner = await getRunner(operation);
    await runner.feed.open();
    const found = await Promise.all(Array.from(new Set(wish), (taskId) => findTask(operation, runner, taskId)));
    const records = found.filter((record) => record !== undefined);
    if (records.length === 0) return undefined;
    const subscriptions = records.map(({ id }) => new TaskSubscription(operation, runner, id));
    return {
      granted: records.map(({ id }) => publicTaskId(id)),
      matches: () => false,
      begin(notify) {
        for (const task of subscriptions) task.begin(notify);
      },
      end() {
        for (const task of subscriptions) task.end();
      },
    };
  };
}

/** One client's subscription to one task. Rapid changes are coalesced. */
class TaskSubscription {
  readonly #operation: Operation;
  readonly #runner: TaskRunner;
  readonly #id: string;
  #version = 0;
  #isReading = false;
  #isStale = false;
  #stop: (() => void) | undefined;

  constructor(operation: Operation, runner: TaskRunner, id: string) {
    this.#operation = operation;
    this.#runner = runner;
    this.#id = id;
  }

  begin(notify: Notify): void {
    const onChange = (): void => {
      this.#isStale = true;
      if (!this.#isReading) void this.#read(notify);
    };
    this.#stop = this.#runner.feed.watch(this.#id, onChange);
    onChange();
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #read(notify: Notify): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isStale && this.#stop !== undefined) {
        this.#isStale = false;
        const record = await readTask(this.#operation, this.#runner, this.#id);
        if (record === undefined || record.version <= this.#version || this.#stop === undefined) continue;
        this.#version = record.version;
        notify(taskNotification, {
          ...encodeDetailedTask(record, (outcome) => this.#operation.toRevision(outcome, record.tool)),
        });
      }
    } catch (error) {
      this.#runner.reportError('A client could not be notified of a task', error);
    } finally {
      this.#isReading = false;
    }
  }
}
