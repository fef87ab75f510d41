import type { Operation } from '../../server/call/operation.ts';
import type { CloseReason, Service } from '../../server/call/background-job.ts';
import type { Store } from '../../stores/store.ts';
import { type TaskLimits, TaskStore } from './task-store.ts';
import { TaskRunner, type TaskRunnerOptions } from './task-runner.ts';

/** Returns the runner for the server of a request. */
export type GetTaskRunner = (operation: Operation) => Promise<TaskRunner>;

type TaskRunnersOptions = Omit<TaskRunnerOptions, 'reportError'> & TaskLimits;

/** The member of the extension that has its runners. */
export const runnersKey: unique symbol = Symbol('ccmcp.taskRunners');

/** The runners of one extension: one for each server and store. */
export class TaskRunners {
  readonly #options: TaskRunnersOptions;
  readonly #byStore = new WeakMap<Store, Map<string, TaskRunner>>();

  constructor(options: TaskRunnersOptions) {
    this.#options = options;
  }

  async get(operation: Operation): Promise<TaskRunner> {
    const store = await operation.shared();
    const { host } = operation;
    return this.#ofHost(host).#runnerFor(store, host.info.name, host.reportError.bind(host));
  }

  /** A part of a composed server may have the extension with other runners: those of the whole run its tasks. */
  #ofHost({ extensions }: Operation['host']): TaskRunners {
    for (const extension of extensions.all) {
      if (runnersKey in extension) return extension[runnersKey] as TaskRunners;
    }
    return this;
  }

  /** Called when a transport starts to serve. Returns the function that stops it. */
  open(service: Service): (why: CloseReason) => Promise<void> {
    const { store, name, reportError } = service;
    const runner = this.#runnerFor(store, name, reportError);
    runner.open(service);
    return (why) => runner.close(service, why);
  }

  #runnerFor(store: Store, name: string, reportError: TaskRunnerOptions['reportError']): TaskRunner {
    const ofStore = this.#byStore.get(store) ?? new Map<string, TaskRunner>();
    this.#byStore.set(store, ofStore);
    const made =
      ofStore.get(name) ?? new TaskRunner(new TaskStore(store, name, this.#options), { ...this.#options, reportError });
    ofStore.set(name, made);
    return made;
  }
}
