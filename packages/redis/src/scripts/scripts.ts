import { createHash } from 'node:crypto';
import { alter } from './members.ts';
import { after, append } from './logs.ts';
import { claim, countUp, create, hold, lease, read, remove, take, update } from './records.ts';
import { prelude } from './prelude.ts';

/** Sets the mark ARGV[1] if there is none, else returns the existing one; extends its life to ARGV[2]. */
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

/** A Lua script, called by its digest. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

function script(text: string): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

/** One script per operation. */
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
  // A cluster keeps the order of messages from one node: scripts run on the node of KEYS[1].
  publish: script("return redis.call('PUBLISH', ARGV[1], ARGV[2])"),
} as const;
