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
    'drops the least recently used of records that are claimed',
    ...both('drops the least recently used records of a kind that has too many'),
    'drops as many as there are too many',
    'evicts none when a record is replaced',
    ...both('drops records that are in use last'),
    ...both('drops a record like others when its use is over'),
    ...both('evicts records of the owner with the most first'),
    ...both('evicts records of an owner with too many, and no others'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
    ...both('drops none that was just made, where the others are in use'),
    ...both('drops one of them all the same where all are in use'),
    ...both('keeps the members of a record'),
  ],
  'makes a record that it should change': [
    'makes no record by changing it',
    'never brings a record back by changing it while another instance removes it',
    ...both('deletes an idle record after its lifetime, with its members and its log'),
  ],
  'adds to a record that it should make anew': ['replaces an existing record'],
  'writes a whole record where one field changes': [
    ...both('changes single fields, so that concurrent changes of different ones succeed'),
    'leaves members and log as they are when fields change',
    'never brings a record back by changing it while another instance removes it',
  ],
  'gives fields that change later': ['gives fields that later changes do not touch'],
  'gives members that change later': ['gives members that later changes do not touch'],
  'gives entries that grow later': ['gives entries that later ones do not touch'],
  'says that it removed what was not there': [
    ...both('removes a record with its members and its log'),
    'reports success to one of two concurrent removals',
    ...both('deletes an idle record after its lifetime, with its members and its log'),
  ],
  'removes nothing': [
    'never brings a record back by changing it while another instance removes it',
    ...both('removes a record with its members and its log'),
    'reports success to one of two concurrent removals',
    ...both('rejects one where its kind has no room, and drops none for it'),
    ...both('takes no more members of all records of an owner than may be'),
  ],
  'lets everybody claim a record': [
    ...both('lets a record be claimed where there is none, and only once'),
    ...both('lets one of several concurrent claims succeed'),
    ...both('lets a record be claimed with fields'),
  ],
  'looks before it claims a record': [...both('lets one of several concurrent claims succeed')],
  'lets claims never end': [
    'lets a record be claimed again when it has expired',
    'drops the least recently used of records that are claimed',
    ...both('rejects one where there are as many as there may be, and none of them goes'),
  ],
  'claims without fields': [...both('lets a record be claimed with fields')],
  'changes what is not as expected': [
    ...both('changes a record only where it is as expected'),
    ...both('lets one of several change what all of them expected'),
  ],
  'looks before it changes what is as expected': [...both('lets one of several change what all of them expected')],
  'leases to everybody': [
    ...both('grants a lease to one holder, who can renew and release it'),
    ...both('grants a lease to one of several concurrent holders'),
    ...both('gives a lease to another when it has expired, and not where it was prolonged'),
  ],
  'leases once only': [
    ...both('grants a lease to one holder, who can renew and release it'),
    'prolongs a lease by the time that is said, also by a shorter one',
  ],
  'looks before it leases': [...both('grants a lease to one of several concurrent holders')],
  'leases for ever': [
    ...both('gives a lease to another when it has expired, and not where it was prolonged'),
    'prolongs a lease by the time that is said, also by a shorter one',
  ],
  'lets anybody end a lease': [
    ...both('grants a lease to one holder, who can renew and release it'),
    ...both('gives a lease to another when it has expired, and not where it was prolonged'),
  ],
  'counts by reading and writing': [...both('counts what several count at once')],
  'counts for ever': [...both('counts from zero after its window')],
  'prolongs what it counts': ['counts for as long as was said first, however often it is counted'],
  'counts any number of things': ['keeps no more counts and leases than there may be of their kind'],
  'says that all was missed': [...both('does not say that messages were missed where none were')],
  'takes tokens by looking first': both('grants no token twice to concurrent takers'),
  'lends tokens that are not there': [
    ...both('grants the tokens of a bucket, no more than it has'),
    ...both('grants no token twice to concurrent takers'),
    ...both('takes tokens back, no more than the bucket holds'),
    ...both('lets tokens come back at an even pace, whole ones, until the bucket is full'),
  ],
  'holds more tokens than a bucket does': [
    ...both('grants the tokens of a bucket, no more than it has'),
    ...both('grants no token twice to concurrent takers'),
    ...both('takes tokens back, no more than the bucket holds'),
    ...both('lets tokens come back at an even pace, whole ones, until the bucket is full'),
  ],
  'lets no token come back': both('lets tokens come back at an even pace, whole ones, until the bucket is full'),
  'gives places by looking first': both('grants no quota twice to concurrent holders'),
  'gives any number of places': [
    ...both('gives places to holders, no more than others leave'),
    ...both('grants no quota twice to concurrent holders'),
    ...both('regrants the quota of an expired holder, and not that of a live one'),
  ],
  'gives places for ever': both('regrants the quota of an expired holder, and not that of a live one'),
  'keeps any number of shares': ['keeps no more buckets and places than there may be of their kind'],

  'forgets nothing': [
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    ...both('counts reading and changing as use'),
    ...both('rejects one where there are as many as there may be, and none of them goes'),
  ],
  'counts no use': [
    ...both('counts reading and changing as use'),
    ...both('rejects one where there are as many as there may be, and none of them goes'),
  ],
  'drops no record however many there are': [
    ...both('drops the least recently used records of a kind that has too many'),
    'drops as many as there are too many',
    ...both('drops records that are in use last'),
    ...both('drops a record like others when its use is over'),
    ...both('evicts records of the owner with the most first'),
    ...both('rejects one where there are as many as there may be, and none of them goes'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
    ...both('drops one of them all the same where all are in use'),
  ],
  'drops records that are in use as others': [...both('drops records that are in use last')],
  'drops the record that was made first': [
    ...both('drops the least recently used records of a kind that has too many'),
    ...both('drops records that are in use last'),
    ...both('evicts records of the owner with the most first'),
    ...both('rejects one where there are as many as there may be, and none of them goes'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
  ],
  'asks nobody whose a record is': [
    ...both('evicts records of the owner with the most first'),
    ...both('evicts records of an owner with too many, and no others'),
    ...both('rejects a record of an owner who has used their share, and accepts those of others'),
    ...both("evicts an owner's own records on request if the store is full, and no others"),
    ...both('evicts nothing where there would be no room all the same'),
    ...both('takes no more members of all records of an owner than may be'),
  ],
  'lets one owner have all': [
    ...both('evicts records of an owner with too many, and no others'),
    ...both('drops none that was just made, where the others are in use'),
    ...both('takes no more members of all records of an owner than may be'),
  ],
  'makes room where none may go': [
    ...both('rejects one where its kind has no room, and drops none for it'),
    ...both('rejects one where there are as many as there may be, and none of them goes'),
    ...both('rejects a record of an owner who has used their share, and accepts those of others'),
    ...both('evicts nothing where there would be no room all the same'),
  ],
  'lets one owner have all the room': [
    ...both('rejects a record of an owner who has used their share, and accepts those of others'),
  ],
  'thinks that a record is in use for ever': [...both('drops a record like others when its use is over')],
  'makes room for a record that has its room': ['evicts none when a record is replaced'],
  'writes all members where one changes': [
    ...both('changes single members, so that concurrent changes of different ones succeed'),
    'takes no more members than may be, all that are added or none',
    ...both('takes no more members of all records of an owner than may be'),
  ],
  'has any number of members': [
    'takes no more members than may be, all that are added or none',
    ...both('takes no more members of all records of an owner than may be'),
  ],
  'has members without a record': [
    'replaces an existing record',
    'makes no record by changing it',
    ...both('removes a record with its members and its log'),
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    'takes no more members than may be, all that are added or none',
    ...both('takes no more members of all records of an owner than may be'),
  ],
  'numbers entries on each instance for itself': [
    'replaces an existing record',
    'numbers the entries of a log, between two instances',
    'gives every entry its own number when several are added at once, between two instances',
  ],
  'numbers entries from zero': [
    'replaces an existing record',
    ...both('numbers the entries of a log'),
    ...both('gives every entry its own number when several are added at once'),
  ],
  'numbers an entry before it is added': [...both('gives every entry its own number when several are added at once')],
  'keeps all entries of a log': [
    'reports entries of a log that were dropped, or never existed',
    'keeps as much of a log as it may, and no more',
    'always keeps the newest entry of a log',
  ],
  'keeps one entry too few': [
    'reports entries of a log that were dropped, or never existed',
    'keeps as much of a log as it may, and no more',
  ],
  'keeps no entry that is too long': [...both('keeps entries as they are'), 'always keeps the newest entry of a log'],
  'does not say that entries are gone': [
    'replaces an existing record',
    'makes no record by changing it',
    ...both('removes a record with its members and its log'),
    ...both('deletes an idle record after its lifetime, with its members and its log'),
    'reports entries of a log that were dropped, or never existed',
    'keeps as much of a log as it may, and no more',
    'always keeps the newest entry of a log',
  ],
  'loses a message now and then': [
    ...both('tells every subscriber of a topic, each once and in order'),
    ...both('keeps the order of messages that are published without waiting'),
    'keeps the order of messages that instances publish one after the other',
  ],
  'tells twice': [
    ...both('tells every subscriber of a topic, each once and in order'),
    ...both('keeps the order of messages that are published without waiting'),
    'keeps the order of messages that instances publish one after the other',
    ...both('keeps the order where a subscriber publishes while it is notified'),
    ...both('delivers nothing after the end of a subscription, and everything to other subscribers'),
    'tells nothing to an instance that was closed, and the others all',
    ...both('does not say that messages were missed where none were'),
  ],
  'tells out of order': [
    ...both('tells every subscriber of a topic, each once and in order'),
    ...both('keeps the order of messages that are published without waiting'),
    'keeps the order of messages that instances publish one after the other',
  ],
  'loses long messages': [...both('tells every subscriber of a topic, each once and in order')],
  'mixes up messages that are not waited for': [
    ...both('keeps the order of messages that are published without waiting'),
  ],
  'hears itself before others': ['keeps the order of messages that instances publish one after the other'],
  'interrupts those who are notified': [...both('keeps the order where a subscriber publishes while it is notified')],
  'is not listening yet when it says so': [
    ...both('tells every subscriber of a topic, each once and in order'),
    ...both('keeps the order of messages that are published without waiting'),
    'keeps the order of messages that instances publish one after the other',
    ...both('keeps the order where a subscriber publishes while it is notified'),
    ...both('delivers nothing after the end of a subscription, and everything to other subscribers'),
    'tells nothing to an instance that was closed, and the others all',
    ...both('does not say that messages were missed where none were'),
  ],
  'goes on telling those who stopped': [
    ...both('delivers nothing after the end of a subscription, and everything to other subscribers'),
  ],
  'goes on telling when it is closed': ['tells nothing to an instance that was closed, and the others all'],
  'closes the store for all': [
    'keeps all for the other instances when one is closed',
    'tells nothing to an instance that was closed, and the others all',
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
