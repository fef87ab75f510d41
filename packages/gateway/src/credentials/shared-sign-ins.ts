import type { TokenStore } from '@ccmcp/core/client';
import type { Life, Store } from '@ccmcp/core/http';
import { createEncryption } from './encryption.ts';
import type { SignInRecord, SignInRecords } from './sign-in-records.ts';

/** The end of a sign-in: an error if it failed. */
interface SignInOutcome {
  readonly id: string;
  readonly error?: string;
}

/** Sign-ins in a store that instances share: their pages are served by any of them. */
export interface SharedSignIns extends SignInRecords {
  /** The tokens of a caller. */
  tokensOf(principal: string): TokenStore;
  /** Tells all instances how a sign-in ended. */
  publish(record: SignInRecord, outcome: SignInOutcome): Promise<void>;
  /** Calls back when a sign-in of this caller and upstream has ended at an instance; undefined: that may have been missed. */
  subscribe(record: SignInRecord, listener: (outcome?: SignInOutcome) => void): Promise<() => void>;
}

/** The maximum pending sign-ins in the store, and those of one caller; the least recently used are evicted. */
const maxSignIns = 20_000;
const maxOwnSignIns = 200;
const kind = 'gateway/sign-ins';

/** Keeps pending sign-ins in a store, encrypted, also their names. */
export function sharedSignIns(options: {
  store: Store;
  key: string;
  tokensOf: (principal: string) => TokenStore;
}): SharedSignIns {
  const { store, key, tokensOf } = options;
  const { encrypt, decrypt, nameOf } = createEncryption(key, { encryption: 'sign-ins', names: 'names of sign-ins' });
  const recordName = (id: string): string => `${kind}/${nameOf(`id ${id}`)}`;
  const topicOf = ({ principal, upstream }: SignInRecord): string =>
    `${kind}/ended/${nameOf(JSON.stringify(['ended', principal, upstream.url]))}`;
  const lifeFor = ({ expiresAt, principal }: SignInRecord): Life => ({
    kind,
    ttlMs: Math.max(1, expiresAt - Date.now()),
    limit: maxSignIns,
    owner: nameOf(`owner ${principal}`),
    ownerLimit: maxOwnSignIns,
  });
  const seal = (id: string, record: SignInRecord): { sealed: string } => ({
    sealed: encrypt(JSON.stringify(record), recordName(id)),
  });
  return {
    tokensOf,
    idOf: (state) => nameOf(`state ${state}`),
    async create(id, record) {
      const kept = await store.create(recordName(id), seal(id, record), lifeFor(record));
      if (kept === 'full') throw new Error('The store has no room for a sign-in');
    },
    async get(id, lifetimeMs) {
      // The store extends the life of what is read; the sign-in ends in time nevertheless.
      const sealed = (await store.read(recordName(id), { kind, ttlMs: lifetimeMs, limit: maxSignIns }))?.sealed;
      const text = sealed === undefined ? undefined : decrypt(sealed, recordName(id));
      if (text === undefined) return undefined;
      const record = JSON.parse(text) as SignInRecord;
      return record.expiresAt > Date.now() ? record : undefined;
    },
    async update(id, record) {
      return store.update(recordName(id), seal(id, record), lifeFor(record));
    },
    async remove(id) {
      return store.remove(recordName(id));
    },
    async publish(record, outcome) {
      const topic = topicOf(record);
      await store.publish(topic, encrypt(JSON.stringify(outcome), topic));
    },
    async subscribe(record, listener) {
      const topic = topicOf(record);
      const onMessage = (message: string): void => {
        const text = decrypt(message, topic);
        if (text !== undefined) listener(JSON.parse(text) as SignInOutcome);
      };
      return store.subscribe(topic, onMessage, () => listener());
    },
  };
}
