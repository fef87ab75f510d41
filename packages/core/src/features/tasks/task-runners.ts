import type { Operation } from '../../server/call/operation.ts';
import type { CloseReason, Service } from '../../server/call/background-job.ts';
import type { Store } from '../../stores/store.ts';
import type { TaskLimits } from './task-store.ts';
import type { TaskRunner, TaskRunnerOptions } from './task-runner.ts';
import type { TaskServing } from './serve-tasks.ts';

type TaskRunnersOptions = Omit<TaskRunnerOptions, 'reportError'> & TaskLimits;

type RunnerHost = Pick<Service, 'store' | 'name' | 'reportError'>;

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
    const serving = loaded ?? (await loadTaskServing());
    const store = await operation.shared();
    const { host } = operation;
    return this.#ofHost(host).#runnerFor(serving, {
      store,
      name: host.info.name,
      reportError: host.reportError.bind(host),
    });
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
    if (loaded !== undefined) return this.#openWith(loaded, service);
    const opening = loadTaskServing().then((serving) => this.#openWith(serving, service));
    opening.catch((error: unknown) => service.reportError('Tasks can not be served', error));
    return async (why) => {
      const close = await opening;
      await close(why);
    };
  }

  #openWith(serving: TaskServing, service: Service): (why: CloseReason) => Promise<void> {
    const runner = this.#runnerFor(serving, service);
    runner.open(service);
    return (why) => runner.close(service, why);
  }

  #runnerFor({ TaskRunner, TaskStore }: TaskServing, { store, name, reportError }: RunnerHost): TaskRunner {
    const ofStore = this.#byStore.get(store) ?? new Map<string, TaskRunner>();
    this.#byStore.set(store, ofStore);
    const made =
      ofStore.get(name) ?? new TaskRunner(new TaskStore(store, name, this.#options), { ...this.#options, reportError });
    ofStore.set(name, made);
    return made;
  }
}

let loaded: TaskServing | undefined;

/** Loads what serves tasks. No promise is kept: in workerd, a request can't await that of another. */
export async function loadTaskServing(): Promise<TaskServing> {
  loaded ??= (await import('./serve-tasks.ts')).taskServing;
  return loaded;
}
