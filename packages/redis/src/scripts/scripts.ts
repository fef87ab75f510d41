import { createHash } from 'node:crypto';
import { alter } from './members.ts';
import { after, append } from './logs.ts';
import { claim, countUp, create, hold, lease, read, remove, take, update } from './records.ts';
import { prelude } from './prelude.ts';

/** Leaves a mark where there is none, ARGV[1], and gives the one that was there; it lives for ARGV[2] from now on. */
const mark: string = String.raw`
local name = KEYS[1] .. ':g'
local known = redis.call('GET', name)
if not known then
  redis.call('SET', name, ARGV[1], 'PX', ARGV[2])
  return false
end
if string.sub(known, 1, 6) ~= 'ccmcp:' then error('ccmcp-foreign') end
redis.call('PEXPIRE', name, ARGV[2])
return known
`;

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
  create: script(prelude + create),
  claim: script(prelude + claim),
  read: script(prelude + read),
  update: script(prelude + update),
  remove: script(prelude + remove),
  lease: script(prelude + lease),
  count: script(prelude + countUp),
  take: script(prelude + take),
  hold: script(prelude + hold),
  alter: script(prelude + alter),
  append: script(prelude + append),
  after: script(prelude + after),
  mark: script(mark),
  // A cluster carries messages of one node in order: that of the slot of KEYS[1], where a script runs.
  publish: script("return redis.call('PUBLISH', ARGV[1], ARGV[2])"),
} as const;
