import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { borrowStore, type Line, lendStore } from '../../../../examples/shared-store/store.js';
import { memoryStore } from '../stores/memory.ts';
import type { Store, StoredEntry } from '../stores/store.ts';
import type { OpenStore } from './store-contract/case.ts';
import { storeContract } from './store-contract.ts';

const ports: MessagePort[] = [];

// A broken store may not have closed its own.
afterAll(() => {
  for (const port of ports) port.close();
});

function lineOver(port: MessagePort): Line {
  ports.push(port);
  return {
    send: (text) => port.postMessage(text),
    hear: (listener) => void port.on('message', listener),
    close: () => port.close(),
  };
}

/** Opens separate instances: nothing goes between them and the data but text, and that takes its time. */
function separate(): OpenStore {
  const data = memoryStore();
  return () => {
    const { port1, port2 } = new MessageChannel();
    lendStore(data, lineOver(port1));
    return borrowStore(lineOver(port2));
  };
}

/** The same, with some operations done otherwise. What `flaw` makes once, all instances share. */
function flawed(flaw: () => (store: Store, instance: number) => Partial<Store>): () => OpenStore {
  return () => {
    const open = separate();
    const change = flaw();
    let instance = 0;
    return async () => {
      const store = await open();
      return { ...store, ...change(store, instance++) };
    };
  };
}

/** Stores with listeners that hear otherwise than they should. */
function mishearing(hear: (listener: (message: string) => void) => (message: string) => void): () => OpenStore {
  return flawed(() => (store) => ({ subscribe: (topic, listener) => store.subscribe(topic, hear(listener)) }));
}

const broken: Record<string, () => OpenStore> = {
  'shares nothing': () => () => memoryStore(),
  'gives one instance for two': () => {
    const store = memoryStore();
    return () => store;
  },

  'keeps only plain letters': flawed(() => (store) => ({
    create: (key, fields, life) =>
      store.create(key, Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, plain(text)])), life),
    append: (key, entry, bounds) => store.append(key, plain(entry), bounds),
  })),
  'loses records without fields': flawed(() => (store) => ({
    async read(key, life) {
      const fields = await store.read(key, life);
      return fields && Object.keys(fields).length > 0 ? fields : undefined;
    },
  })),
  'makes a record that it should change': flawed(() => (store) => ({
    async update(key, changes, life) {
      if (!(await store.update(key, changes, life))) await store.create(key, { made: 'up' }, life);
      return true;
    },
  })),
  'adds to a record that it should make anew': flawed(() => (store) => ({
    async create(key, fields, life) {
      if (!(await store.update(key, fields, life))) await store.create(key, fields, life);
    },
  })),
  'writes a whole record where one field changes': flawed(() => (store) => ({
    async update(key, changes, life) {
      const fields = await store.read(key, life);
      if (fields === undefined) return false;
      await turn();
      const entries = Object.entries({ ...fields, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      await store.create(key, Object.fromEntries(entries), life);
      return true;
    },
  })),
  'gives fields that change later': flawed(() => {
    const given = new Map<string, Record<string, string>>();
    return (store) => ({
      async read(key, life) {
        const fields = await store.read(key, life);
        if (fields !== undefined) given.set(key, fields);
        return fields;
      },
      update(key, changes, life) {
        Object.assign(given.get(key) ?? {}, changes);
        return store.update(key, changes, life);
      },
    });
  }),
  'gives members that change later': flawed(() => {
    const given = new Map<string, Set<string>>();
    return (store) => ({
      async members(key) {
        const members = new Set(await store.members(key));
        given.set(key, members);
        return members;
      },
      alter(key, changes) {
        for (const member of changes.add) given.get(key)?.add(member);
        return store.alter(key, changes);
      },
    });
  }),
  'gives entries that grow later': flawed(() => {
    const given = new Map<string, StoredEntry[]>();
    return (store) => ({
      async after(key, position) {
        const entries = (await store.after(key, position)) as StoredEntry[] | undefined;
        if (entries !== undefined) given.set(key, entries);
        return entries;
      },
      append(key, entry, bounds) {
        given.get(key)?.push({ position: 0, entry });
        return store.append(key, entry, bounds);
      },
    });
  }),
  'says that it removed what was not there': flawed(() => (store) => ({
    async remove(key) {
      await store.remove(key);
      return true;
    },
  })),
  'removes nothing': flawed(() => (store) => ({
    remove: async (key) => (await store.read(key, { ttlMs: 60_000, kind: 'test', limit: 1000 })) !== undefined,
  })),

  'forgets nothing': flawed(() => (store) => ({
    create: (key, fields, life) => store.create(key, fields, { ...life, ttlMs: 60_000 }),
    read: (key, life) => store.read(key, { ...life, ttlMs: 60_000 }),
  })),
  'counts no use': flawed(() => {
    const ends = new Map<string, number>();
    return (store) => ({
      async create(key, fields, life) {
        ends.set(key, Date.now() + life.ttlMs);
        await store.create(key, fields, life);
      },
      read: (key, life) => store.read(key, { ...life, ttlMs: Number(ends.get(key)) - Date.now() }),
      update: (key, changes, life) =>
        store.update(key, changes, { ...life, ttlMs: Number(ends.get(key)) - Date.now() }),
    });
  }),
  'drops no record however many there are': flawed(() => (store) => ({
    create: (key, fields, life) => store.create(key, fields, { ...life, limit: 1000 }),
  })),
  'drops records that are in use as others': flawed(() => (store) => ({
    read: (key, { ttlMs, kind, limit }) => store.read(key, { ttlMs, kind, limit }),
  })),
  'drops the record that was made first': flawed(() => {
    const kinds = new Map<string, string[]>();
    return (store) => ({
      async create(key, fields, life) {
        const keys = [...(kinds.get(life.kind) ?? []).filter((other) => other !== key), key];
        kinds.set(life.kind, keys);
        await store.create(key, fields, { ...life, limit: 1000 });
        for (const oldest of keys.splice(0, keys.length - life.limit)) await store.remove(oldest);
      },
    });
  }),
  'thinks that a record is in use for ever': flawed(() => (store) => ({
    create: (key, fields, life) => store.create(key, fields, life.busyMs ? { ...life, busyMs: 60_000 } : life),
  })),
  'makes room for a record that has its room': flawed(() => (store) => ({
    async create(key, fields, life) {
      await store.create(`${key}/room`, {}, life);
      await store.remove(`${key}/room`);
      await store.create(key, fields, life);
    },
  })),

  'writes all members where one changes': flawed(() => (store) => ({
    async alter(key, { add, remove }) {
      const all = new Set(await store.members(key));
      for (const member of remove) all.delete(member);
      for (const member of add) all.add(member);
      await turn();
      await turn();
      const others = [...(await store.members(key))].filter((member) => !all.has(member));
      return store.alter(key, { add: [...all], remove: others });
    },
  })),
  'has members without a record': flawed(() => {
    const members = new Map<string, Set<string>>();
    return () => ({
      members: (key) => new Set(members.get(key)),
      alter(key, { add, remove }) {
        const all = members.get(key) ?? new Set();
        members.set(key, all);
        for (const member of remove) all.delete(member);
        for (const member of add) all.add(member);
        return true;
      },
    });
  }),

  'numbers entries on each instance for itself': flawed(() => (store) => {
    let last = 0;
    return {
      async append(key, entry, bounds) {
        const position = await store.append(key, entry, bounds);
        return position && ++last;
      },
    };
  }),
  'keeps all entries of a log': flawed(() => (store) => ({
    append: (key, entry) => store.append(key, entry, { maxEntries: 1e9, maxLength: 1e9 }),
  })),
  'keeps one entry too few': flawed(() => (store) => ({
    append: (key, entry, { maxEntries, maxLength }) =>
      store.append(key, entry, { maxEntries: maxEntries - 1, maxLength: maxLength - 1 }),
  })),
  'keeps no entry that is too long': flawed(() => (store) => ({
    after: async (key, position) => (await store.after(key, position))?.filter(({ entry }) => entry.length <= 25),
  })),
  'does not say that entries are gone': flawed(() => (store) => ({
    after: async (key, position) => (await store.after(key, position)) ?? [],
  })),

  'loses a message now and then': mishearing((listener) => {
    let count = 0;
    return (message) => void (++count % 7 > 0 && listener(message));
  }),
  'tells twice': mishearing((listener) => (message) => {
    listener(message);
    listener(message);
  }),
  'tells out of order': mishearing((listener) => {
    let count = 0;
    return (message) => void wait(10 - (count++ % 2) * 9).then(() => listener(message));
  }),
  'loses long messages': mishearing((listener) => (message) => {
    if (message.length < 8000) listener(message);
  }),
  'mixes up messages that are not waited for': flawed(() => (store) => {
    let count = 0;
    return {
      async publish(topic, message) {
        await wait(5 - (count++ % 2) * 4);
        await store.publish(topic, message);
      },
    };
  }),
  'hears itself before others': flawed(() => (store, instance) => ({
    publish: (topic, message) => store.publish(topic, `${instance}${message}`),
    subscribe: (topic, listener) =>
      store.subscribe(topic, (message) => {
        if (message.startsWith(String(instance))) listener(message.slice(1));
        else void wait(10).then(() => listener(message.slice(1)));
      }),
  })),
  'interrupts those who are told': flawed(() => {
    type Told = { topic: string; instance: number; listener: (message: string) => void };
    let told: Told[] = [];
    return (store, instance) => ({
      publish(topic, message) {
        for (const each of told) if (each.topic === topic) each.listener(message);
      },
      subscribe(topic, listener) {
        const own = { topic, instance, listener };
        told.push(own);
        return () => {
          told = told.filter((each) => each !== own);
        };
      },
      close() {
        told = told.filter((each) => each.instance !== instance);
        return store.close();
      },
    });
  }),
  'is not listening yet when it says so': flawed(() => (store) => ({
    subscribe(topic, listener) {
      void wait(1000, undefined, { ref: false }).then(() => store.subscribe(topic, listener));
      return () => {};
    },
  })),
  'goes on telling those who stopped': flawed(() => (store) => ({
    async subscribe(topic, listener) {
      await store.subscribe(topic, listener);
      return () => {};
    },
  })),
  'goes on telling when it is closed': flawed(() => () => ({ close() {} })),
  'closes the store for all': () => {
    const open = separate();
    const opened: Store[] = [];
    return async () => {
      const store = await open();
      opened.push(store);
      const close = async (): Promise<void> => {
        for (const each of opened.splice(0)) await each.close();
      };
      return { ...store, close };
    };
  },
};

function plain(text: string): string {
  return text.replace(/[^ -~]/g, '?');
}

/** The names of the cases that a store fails. */
async function failures(openNew: () => OpenStore): Promise<string[]> {
  const results = await Promise.allSettled(storeContract.map(({ run }) => run(openNew())));
  return storeContract.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

it('x', async () => {
  const found: Record<string, string[]> = {};
  await Promise.race([wait(15000), Promise.all(Object.entries(broken).map(async ([name, open]) => { found[name] = ['hung']; found[name] = await failures(open); }))]); found.none = await failures(separate);
  console.log(JSON.stringify(found, undefined, 1));
  const all = new Set(Object.values(found).flat());
  console.log('never failed', storeContract.filter(({ name }) => !all.has(name)).map(({ name }) => name));
}, 100000);
describe; expect;
