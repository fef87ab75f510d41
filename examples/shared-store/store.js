// A store that processes of one machine share: one of them has the data, the others send it requests over a line of
// text.

/** @typedef {import('@ccmcp/core/http').Store} Store */

/**
 * A way to send texts to another process, and to get theirs. They come whole and in order.
 * @typedef {object} Line
 * @property {(text: string) => void} send
 * @property {(listener: (text: string) => void) => void} onMessage
 * @property {() => void} close
 */

/**
 * Serves requests for a store that arrive over a line.
 * @param {Store} store
 * @param {Line} line
 */
export function lendStore(store, line) {
  /** @type {Map<number, () => void>} */
  const subscriptions = new Map();
  const end = () => {
    for (const stop of subscriptions.values()) stop();
    subscriptions.clear();
  };

  /** @type {Record<string, (id: number, ...given: any[]) => unknown>} */
  const operations = {
    create: (_, key, fields, life) => store.create(key, fields, life),
    claim: (_, key, life, fields) => store.claim(key, life, fields),
    read: (_, key, life) => store.read(key, life),
    update: (_, key, changes, life) => store.update(key, fromFields(changes), life),
    updateIf: (_, key, expected, changes, life) => store.updateIf(key, fromFields(expected), fromFields(changes), life),
    remove: (_, key) => store.remove(key),
    lease: (_, key, holder, life) => store.lease(key, holder, life),
    release: (_, key, holder) => store.release(key, holder),
    count: (_, key, more, life) => store.count(key, more, life),
    take: (_, key, wanted, bucket, life) => store.take(key, wanted, bucket, life),
    leaseQuota: (_, key, holder, quota, life) => store.leaseQuota(key, holder, quota, life),
    members: async (_, key) => [...(await store.members(key))],
    alter: (_, key, changes) => store.alter(key, changes),
    append: (_, key, entry, bounds) => store.append(key, entry, bounds),
    after: (_, key, position) => store.after(key, position),
    publish: (_, topic, message) => store.publish(topic, message),
    subscribe: async (id, topic) => {
      const notify = (/** @type {string} */ message) => line.send(JSON.stringify({ listenerId: id, message }));
      subscriptions.set(id, await store.subscribe(topic, notify));
    },
    stop: (_, subscription) => {
      subscriptions.get(subscription)?.();
      subscriptions.delete(subscription);
    },
    close: end,
  };

  /** @param {string} text */
  const answer = async (text) => {
    const { id, operation, given } = JSON.parse(text);
    try {
      line.send(JSON.stringify({ id, result: await operations[operation]?.(id, ...given) }));
    } catch (error) {
      line.send(JSON.stringify({ id, error: String(error) }));
    }
  };
  line.onMessage((text) => void answer(text));
  return end;
}

/**
 * A store whose data is in the process at the other end of a line.
 * @param {Line} line
 * @returns {Store}
 */
export function borrowStore(line) {
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  /** @type {Map<number, (message: string) => void>} */
  const listeners = new Map();
  let lastId = 0;
  let isClosed = false;

  line.onMessage((text) => {
    const { id, result, error, listenerId, message } = JSON.parse(text);
    if (listenerId !== undefined) return listeners.get(listenerId)?.(message);
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error));
  });

  /**
   * @param {string} operation
   * @param {unknown[]} given
   * @returns {Promise<any>}
   */
  const ask = (operation, ...given) => {
    if (isClosed) return Promise.reject(new Error(`The store was closed before ${operation}`));
    const id = ++lastId;
    line.send(JSON.stringify({ id, operation, given }));
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };

  return {
    create: (key, fields, life) => ask('create', key, fields, life),
    claim: (key, life, fields = {}) => ask('claim', key, life, fields),
    read: (key, life) => ask('read', key, life),
    update: (key, changes, life) => ask('update', key, toFields(changes), life),
    updateIf: (key, expected, changes, life) => ask('updateIf', key, toFields(expected), toFields(changes), life),
    remove: (key) => ask('remove', key),
    lease: (key, holder, life) => ask('lease', key, holder, life),
    release: (key, holder) => ask('release', key, holder),
    count: (key, more, life) => ask('count', key, more, life),
    take: (key, wanted, bucket, life) => ask('take', key, wanted, bucket, life),
    leaseQuota: (key, holder, quota, life) => ask('leaseQuota', key, holder, quota, life),
    members: async (key) => new Set(await ask('members', key)),
    alter: (key, changes) => ask('alter', key, changes),
    append: (key, entry, bounds) => ask('append', key, entry, bounds),
    after: (key, position) => ask('after', key, position),
    publish: (topic, message) => ask('publish', topic, message),
    async subscribe(topic, listener) {
      const subscribed = ask('subscribe', topic);
      const id = lastId;
      listeners.set(id, listener);
      await subscribed;
      return () => {
        if (listeners.delete(id)) ask('stop', id).catch(() => {});
      };
    },
    async close() {
      if (isClosed) return;
      listeners.clear();
      const closing = ask('close');
      isClosed = true;
      await closing;
      line.close();
    },
  };
}

/**
 * JSON has no undefined, so null stands for a removed field.
 * @param {Readonly<Record<string, string | undefined>>} fields
 */
function toFields(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
}

/** @param {Readonly<Record<string, string | null>>} fields */
function fromFields(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? undefined]));
}
