import type { Operation } from '../../server/operation.ts';
import type { EndOfService, Service } from '../../server/aside.ts';
import type { Store } from '../../stores/store.ts';
import { type TaskBounds, TaskStore } from './task-store.ts';
import { Workshop, type WorkshopOptions } from './task-runner.ts';

/** Finds where the tasks of a request's server are worked on. */
export type WorkshopOf = (operation: Operation) => Promise<Workshop>;

type Terms = Omit<WorkshopOptions, 'reportError'> & TaskBounds;

/** The workshops of one extension: one for each server that has it, and each store that it is served with. */
export class Workshops {
  readonly #terms: Terms;
  readonly #byStore = new WeakMap<Store, Map<string, Workshop>>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  async of(operation: Operation): Promise<Workshop> {
    const store = await operation.shared();
    const { name } = operation.host.info;
    return this.#workshop(store, name, operation.host.reportError.bind(operation.host));
  }

  /** A transport begins to serve a server. Gives the way to stop. */
  open(service: Service): (why: EndOfService) => Promise<void> {
    const { store, name, reportError } = service;
    const workshop = this.#workshop(store, name, reportError);
    workshop.open(service);
    return (why) => workshop.close(service, why);
  }

  #workshop(store: Store, name: string, reportError: WorkshopOptions['reportError']): Workshop {
    const ofStore = this.#byStore.get(store) ?? new Map<string, Workshop>();
    this.#byStore.set(store, ofStore);
    const made =
      ofStore.get(name) ?? new Workshop(new TaskStore(store, name, this.#terms), { ...this.#terms, reportError });
    ofStore.set(name, made);
    return made;
  }
}
