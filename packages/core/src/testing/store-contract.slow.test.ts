import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStore } from '../stores/memory.ts';
import type { Store } from '../stores/store.ts';
import { brokenStores, closeAll, separate } from './fixtures/broken-stores.ts';
import type { OpenStore } from './store-contract/case.ts';
import { storeContract } from './store-contract.ts';

const forTwo = storeContract.filter(({ instances }) => instances === 2).map(({ name }) => name);

function both(name: string): string[] {
  return [name, `${name}, between two instances`];
}

/** The cases that detect each fault of a store: these, and no others. */
const failing: Record<string, string[]> = {
  'shares nothing': forTwo,
  'gives one instance for two': forTwo,
  'keeps only plain letters': [...both('keeps the fields of a record'), ...both('keeps entries as they are')],
  'loses records without fields': [
    'keeps a record without fields',
    'reports success to one of two concurrent removals',
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    ...both('counts reading and changing as use'),
    'evicts the least recently used of claimed records',
    ...both('evicts the least recently used records of a kind that has too many'),
    'evicts no more records than are beyond the limit',
    'evicts none when a record is replaced',
    ...both('evicts records in use last'),
    ...both('evicts a record like others once it is no longer in use'),
    ...both('evicts records of the owner with the most first'),
    ...both('evicts records of an owner with too many, and no others'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
    ...both('does not evict a new record while the others are in use'),
    ...both('evicts a record in use if all are in use'),
    ...both('keeps the members of a record'),
  ],
  'creates a missing record by changing it': [
    'does not create a record by changing it',
    'never restores a record by changing it while another instance removes it',
    ...both('deletes an idle record after its lifetime, with its members and its log'),
  ],
  'adds to a record that it should make anew': ['replaces an existing record'],
  'writes a whole record where one field changes': [
    ...both('changes single fields, so that concurrent changes of different ones succeed'),
    'leaves members and log as they are when fields change',
    'never restores a record by changing it while another instance removes it',
  ],
  'gives fields that change later': ['returns fields that later changes do not change'],
  'gives members that change later': ['returns members that later changes do not change'],
  'gives entries that grow later': ['returns entries that later ones do not change'],
  'reports success for removing a missing record': [
    ...both('removes a record with its members and its log'),
    'reports success to one of two concurrent removals',
    ...both('deletes an idle record after its lifetime, with its members and its log'),
  ],
  'removes nothing': [
    'never restores a record by changing it while another instance removes it',
    ...both('removes a record with its members and its log'),
    'reports success to one of two concurrent removals',
    ...both('rejects a record that its kind has no room for, and evicts none'),
    ...both('limits the members of all records of an owner'),
  ],
  'grants every claim': [
    ...both('lets a record be claimed once, if there is none'),
    ...both('lets one of several concurrent claims succeed'),
    ...both('lets a record be claimed with fields'),
  ],
  'looks before it claims a record': [...both('lets one of several concurrent claims succeed')],
  'never expires a claim': [
    'lets a record be claimed again when it has expired',
    'evicts the least recently used of claimed records',
    ...both('rejects a record beyond the limit of a kind that forbids evictions'),
  ],
  'claims without fields': [...both('lets a record be claimed with fields')],
  'ignores expected values': [
    ...both('changes a record only if it is as expected'),
    ...both('lets one of several concurrent compare-and-set operations succeed'),
  ],
  'looks before it changes what is as expected': [
    ...both('lets one of several concurrent compare-and-set operations succeed'),
  ],
  'grants every lease': [
    ...both('grants a lease to one holder, who can renew and release it'),
    ...both('grants a lease to one of several concurrent holders'),
    ...both('grants an expired lease to another holder, and not a renewed one'),
  ],
  'grants a lease only once': [
    ...both('grants a lease to one holder, who can renew and release it'),
    'renews a lease for the given time, even a shorter one',
  ],
  'looks before it leases': [...both('grants a lease to one of several concurrent holders')],
  'never expires a lease': [
    ...both('grants an expired lease to another holder, and not a renewed one'),
    'renews a lease for the given time, even a shorter one',
  ],
  'lets any holder release a lease': [
    ...both('grants a lease to one holder, who can renew and release it'),
    ...both('grants an expired lease to another holder, and not a renewed one'),
  ],
  'counts by reading and writing': [...both('counts concurrent additions')],
  'counts for ever': [...both('counts from zero after the lifetime of a counter')],
  'prolongs what it counts': ['does not extend the lifetime of a counter by counting'],
  'counts any number of things': ['keeps no more counters and leases than their kind allows'],
  'says that all was missed': [...both('reports no missed messages if none were missed')],
  'takes tokens by looking first': both('grants no token twice to concurrent takers'),
  'grants more tokens than a bucket has': [
    ...both('grants the tokens of a bucket, no more than it has'),
    ...both('grants no token twice to concurrent takers'),
    ...both('takes tokens back, no more than the bucket holds'),
    ...both('refills a bucket with whole tokens at a constant rate, until it is full'),
  ],
  'refills a bucket beyond its size': [
    ...both('grants the tokens of a bucket, no more than it has'),
    ...both('grants no token twice to concurrent takers'),
    ...both('takes tokens back, no more than the bucket holds'),
    ...both('refills a bucket with whole tokens at a constant rate, until it is full'),
  ],
  'lets no token come back': both('refills a bucket with whole tokens at a constant rate, until it is full'),
  'gives places by looking first': both('grants no quota twice to concurrent holders'),
  'leases any amount of quota': [
    ...both('leases no more quota to a holder than others leave'),
    ...both('grants no quota twice to concurrent holders'),
    ...both('regrants the quota of an expired holder, and not that of a live one'),
  ],
  'gives places for ever': both('regrants the quota of an expired holder, and not that of a live one'),
  'keeps any number of shares': ['keeps no more buckets and quota leases than their kind allows'],

  'never expires a record': [
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    ...both('counts reading and changing as use'),
    ...both('rejects a record beyond the limit of a kind that forbids evictions'),
  ],
  'does not count reading as use': [
    ...both('counts reading and changing as use'),
    ...both('rejects a record beyond the limit of a kind that forbids evictions'),
  ],
  'evicts nothing': [
    ...both('evicts the least recently used records of a kind that has too many'),
    'evicts no more records than are beyond the limit',
    ...both('evicts records in use last'),
    ...both('evicts a record like others once it is no longer in use'),
    ...both('evicts records of the owner with the most first'),
    ...both('rejects a record beyond the limit of a kind that forbids evictions'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
    ...both('evicts a record in use if all are in use'),
  ],
  'evicts records in use like others': [...both('evicts records in use last')],
  'evicts the oldest record': [
    ...both('evicts the least recently used records of a kind that has too many'),
    ...both('evicts records in use last'),
    ...both('evicts records of the owner with the most first'),
    ...both('rejects a record beyond the limit of a kind that forbids evictions'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
  ],
  'ignores owners': [
    ...both('evicts records of the owner with the most first'),
    ...both('evicts records of an owner with too many, and no others'),
    ...both('rejects a record of an owner without room left, and accepts those of others'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
    ...both('evicts nothing if the record would not fit even then'),
    ...both('limits the members of all records of an owner'),
  ],
  'ignores the limit of an owner': [
    ...both('evicts records of an owner with too many, and no others'),
    ...both('does not evict a new record while the others are in use'),
    ...both('limits the members of all records of an owner'),
  ],
  'evicts where evictions are forbidden': [
    ...both('rejects a record that its kind has no room for, and evicts none'),
    ...both('rejects a record beyond the limit of a kind that forbids evictions'),
    ...both('rejects a record of an owner without room left, and accepts those of others'),
    ...both('evicts nothing if the record would not fit even then'),
  ],
  'ignores the room of an owner': [
    ...both('rejects a record of an owner without room left, and accepts those of others'),
  ],
  'never ends the use of a record': [...both('evicts a record like others once it is no longer in use')],
  'evicts when a record is replaced': ['evicts none when a record is replaced'],
  'writes all members where one changes': [
    ...both('changes single members, so that concurrent changes of different ones succeed'),
    'adds all members or none if a limit would be exceeded',
    ...both('limits the members of all records of an owner'),
  ],
  'ignores limits of members': [
    'adds all members or none if a limit would be exceeded',
    ...both('limits the members of all records of an owner'),
  ],
  'has members without a record': [
    'replaces an existing record',
    'does not create a record by changing it',
    ...both('removes a record with its members and its log'),
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    'adds all members or none if a limit would be exceeded',
    ...both('limits the members of all records of an owner'),
  ],
  'numbers entries per instance': [
    'replaces an existing record',
    'numbers the entries of a log, between two instances',
    'numbers concurrent entries differently, between two instances',
  ],
  'numbers entries from zero': [
    'replaces an existing record',
    ...both('numbers the entries of a log'),
    ...both('numbers concurrent entries differently'),
  ],
  'numbers an entry before it is added': [...both('numbers concurrent entries differently')],
  'ignores the bounds of a log': [
    'reports entries of a log that were dropped, or never existed',
    'keeps as much of a log as its bounds allow',
    'always keeps the newest entry of a log',
  ],
  'keeps one entry too few': [
    'reports entries of a log that were dropped, or never existed',
    'keeps as much of a log as its bounds allow',
  ],
  'keeps no entry that is too long': [...both('keeps entries as they are'), 'always keeps the newest entry of a log'],
  'does not report evicted entries': [
    'replaces an existing record',
    'does not create a record by changing it',
    ...both('removes a record with its members and its log'),
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    'reports entries of a log that were dropped, or never existed',
    'keeps as much of a log as its bounds allow',
    'always keeps the newest entry of a log',
  ],
  'loses some messages': [
    ...both('delivers messages to every subscriber once and in order'),
    ...both('keeps the order of messages that are published without awaiting'),
    'keeps the order of messages that instances publish one after the other',
  ],
  'delivers messages twice': [
    ...both('delivers messages to every subscriber once and in order'),
    ...both('keeps the order of messages that are published without awaiting'),
    'keeps the order of messages that instances publish one after the other',
    ...both('keeps the order if a subscriber publishes while it is notified'),
    ...both('delivers nothing after the end of a subscription, and everything to other subscribers'),
    'delivers nothing to a closed instance, and everything to others',
    ...both('reports no missed messages if none were missed'),
  ],
  'delivers messages out of order': [
    ...both('delivers messages to every subscriber once and in order'),
    ...both('keeps the order of messages that are published without awaiting'),
    'keeps the order of messages that instances publish one after the other',
  ],
  'loses long messages': [...both('delivers messages to every subscriber once and in order')],
  'reorders messages that are not awaited': [
    ...both('keeps the order of messages that are published without awaiting'),
  ],
  'hears itself before others': ['keeps the order of messages that instances publish one after the other'],
  'interrupts those who are notified': [...both('keeps the order if a subscriber publishes while it is notified')],
  'subscribes too late': [
    ...both('delivers messages to every subscriber once and in order'),
    ...both('keeps the order of messages that are published without awaiting'),
    'keeps the order of messages that instances publish one after the other',
    ...both('keeps the order if a subscriber publishes while it is notified'),
    ...both('delivers nothing after the end of a subscription, and everything to other subscribers'),
    'delivers nothing to a closed instance, and everything to others',
    ...both('reports no missed messages if none were missed'),
  ],
  'delivers messages after the end of a subscription': [
    ...both('delivers nothing after the end of a subscription, and everything to other subscribers'),
  ],
  'goes on telling when it is closed': ['delivers nothing to a closed instance, and everything to others'],
  'closes the store for all': [
    'keeps the state for other instances when one is closed',
    'delivers nothing to a closed instance, and everything to others',
  ],
};

const unclosed = new Set<Store>();

function watched(open: OpenStore): OpenStore {
  return async () => {
    const store = await open();
    const { close } = store;
    unclosed.add(store);
    store.close = () => {
      unclosed.delete(store);
      return close();
    };
    return store;
  };
}

/** The names of the cases that a store fails. */
async function failures(openNew: () => OpenStore): Promise<string[]> {
  const results = await Promise.allSettled(storeContract.map(({ run }) => run(watched(openNew()))));
  return storeContract.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

describe('the contract of stores', () => {
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    await Promise.all(Object.entries(brokenStores).map(async ([flaw, open]) => found.set(flaw, await failures(open))));
  }, 60_000);

  afterAll(closeAll);

  it.concurrent.each(storeContract)('is kept by instances that share nothing but text: it $name', async ({ run }) => {
    await expect(run(separate())).resolves.toBeUndefined();
  });

  it.each(Object.keys(brokenStores))('is broken by a store that %s', (flaw) => {
    expect(found.get(flaw)).toEqual(failing[flaw]);
  });

  it('has no case that every store passes', () => {
    expect(new Set([...found.values()].flat())).toEqual(new Set(storeContract.map(({ name }) => name)));
  });

  it('has no two cases of one name', () => {
    expect(new Set(storeContract.map(({ name }) => name)).size).toBe(storeContract.length);
  });

  it('says that two instances are needed where one is given twice', async () => {
    const store = memoryStore();
    const messages = await Promise.all(
      storeContract
        .filter(({ instances }) => instances === 2)
        .map(({ run }) => run(() => store).catch((error: Error) => error.message)),
    );
    expect(new Set(messages)).toEqual(
      new Set(['this takes two separate instances, and open() gave the same one twice']),
    );
  });

  it('closes each instance that it opened, also where a case fails', () => {
    expect(unclosed.size).toBe(0);
  });
});
