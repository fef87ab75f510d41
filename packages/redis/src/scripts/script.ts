import { createHash } from 'node:crypto';
import { alter } from './members.ts';
import { after, append } from './logs.ts';
import { claim, countUp, create, lease, read, remove, update } from './records.ts';
import { mark } from './mark.ts';
import { shared } from './shared.ts';
import { hold, take } from './shares.ts';

/** What Redis does in one step: it is sent once, and then named by its digest. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

function script(text: string): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

/** One for each operation that needs more than one command. */
export const scripts = {
  create: script(shared + create),
  claim: script(shared + claim),
  read: script(shared + read),
  update: script(shared + update),
  remove: script(shared + remove),
  lease: script(shared + lease),
  count: script(shared + countUp),
  take: script(shared + take),
  hold: script(shared + hold),
  alter: script(shared + alter),
  append: script(shared + append),
  after: script(shared + after),
  mark: script(mark),
  // A cluster carries messages of one node in order: that of the slot of KEYS[1], where a script runs.
  publish: script("return redis.call('PUBLISH', ARGV[1], ARGV[2])"),
} as const;
