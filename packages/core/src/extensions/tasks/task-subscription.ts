import { invalidParams } from '../../jsonrpc/errors.ts';
import type { Params } from '../../jsonrpc/message.ts';
import { limits } from '../../limits.ts';
import type { Listening } from '../../server/extension.ts';
import type { Operation } from '../../server/operation.ts';
import { taskFilter, taskNotification } from './protocol.ts';
import { findTask, keptTask } from './find-task.ts';
import { toldId } from './task-id.ts';
import { detailedOf } from './wire-format.ts';
import type { Workshop } from './task-runner.ts';
import type { WorkshopOf } from './task-runners.ts';

type Tell = (method: string, params: Params) => void;

/** Lets clients listen to tasks: each is told as it stands, and again with every change. Unknown ones are left out. */
export function listenToTasks(workshopOf: WorkshopOf) {
  return async (wish: unknown, operation: Operation): Promise<Listening | undefined> => {
    const most = limits.tasks.listened.value;
    if (!Array.isArray(wish) || !wish.every((id) => typeof id === 'string')) {
      throw invalidParams(`"notifications.${taskFilter}" must be a list of ids`);
    }
    if (wish.length > most)
      throw invalidParams(`"notifications.${taskFilter}" may name ${most} tasks: listen to fewer`);
    const workshop = await workshopOf(operation);
    await workshop.ready();
    const found = await Promise.all(Array.from(new Set(wish), (taskId) => findTask(operation, workshop, taskId)));
    const records = found.filter((record) => record !== undefined);
    if (records.length === 0) return undefined;
    const watched = records.map(({ id }) => new WatchedTask(operation, workshop, id));
    return {
      granted: records.map(({ id }) => toldId(id)),
      hears: () => false,
      begin(tell) {
        for (const task of watched) task.begin(tell);
      },
      end() {
        for (const task of watched) task.end();
      },
    };
  };
}

/** One task that one client listens to. Changes that come quickly are told as one. */
class WatchedTask {
  readonly #operation: Operation;
  readonly #workshop: Workshop;
  readonly #id: string;
  #version = 0;
  #isLooking = false;
  #isLate = false;
  #stop: (() => void) | undefined;

  constructor(operation: Operation, workshop: Workshop, id: string) {
    this.#operation = operation;
    this.#workshop = workshop;
    this.#id = id;
  }

  begin(tell: Tell): void {
    const look = (): void => {
      this.#isLate = true;
      if (!this.#isLooking) void this.#look(tell);
    };
    this.#stop = this.#workshop.watch(this.#id, look);
    look();
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #look(tell: Tell): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#isLate && this.#stop !== undefined) {
        this.#isLate = false;
        const record = await keptTask(this.#operation, this.#workshop, this.#id);
        if (record === undefined || record.version <= this.#version || this.#stop === undefined) continue;
        this.#version = record.version;
        tell(taskNotification, { ...detailedOf(record, (outcome) => this.#operation.told(outcome, record.tool)) });
      }
    } catch (error) {
      this.#workshop.reportError('A client could not be told of a task', error);
    } finally {
      this.#isLooking = false;
    }
  }
}
