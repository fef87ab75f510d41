import { createHash } from 'node:crypto';
import { claim, countUp, create, leaseQuota, lease, read, remove, take, update } from './records.ts';
import { prelude } from './prelude.ts';

/**
 * Arguments: the key; the maximum number of members, their maximum length, that of the owner, and of all records; the
 * number of additions, each with its length; then the removals, in the same form. Returns 2 if there is no room.
 */
const alter = String.raw`
local key = ARGV[1]
local record = load(key)
if not record then return 0 end
local function amount(index) return ARGV[index] == '' and math.huge or tonumber(ARGV[index]) end
local own = at('m', key)
local to = 6 + ARGV[6] * 2
local named, added, removed = {}, {}, {}
local more, length = 0, 0
for index = 7, to, 2 do
  local member = ARGV[index]
  if not named[member] and redis.call('SISMEMBER', own, member) == 0 then
    added[#added + 1] = member
    more, length = more + 1, length + ARGV[index + 1]
  end
  named[member] = true
end
for index = to + 1, #ARGV, 2 do
  local member = ARGV[index]
  if not named[member] and redis.call('SISMEMBER', own, member) == 1 then
    removed[#removed + 1] = member
    more, length = more - 1, length - ARGV[index + 1]
  end
  named[member] = true
end
local owner = ofOwner(record[KIND], record[OWNER])
local known = redis.call('HGET', at('w', 'members'), key)
local weight = tonumber(known and string.match(known, '^%d+') or 0)
local size = redis.call('SCARD', own)
local heavier = length + 64 * more
if #added > 0 then
  if size + more > amount(2) or weight - 64 * size + length > amount(3) then return 2 end
  local held = tonumber(redis.call('HGET', at('w', 'owners'), owner) or 0)
  if record[OWNER] ~= '' and held + heavier > amount(4) then return 2 end
  if total('members') + heavier > amount(5) then return 2 end
end
if #added > 0 then needRoom() end
for _, member in ipairs(removed) do redis.call('SREM', own, member) end
for _, member in ipairs(added) do redis.call('SADD', own, member) end
if heavier ~= 0 then
  count('members', heavier)
  if record[OWNER] ~= '' then redis.call('HINCRBY', at('w', 'owners'), owner, heavier) end
  redis.call('HSET', at('w', 'members'), key, (weight + heavier) .. ':' .. (record[OWNER] == '' and '' or owner))
end
redis.call('PEXPIRE', own, math.max(redis.call('PTTL', at('r', key)), 1))
for _, name in ipairs({ 'total', 'members', 'owners' }) do sustainWeight(name, record[KIND]) end
return 1
`;

/**
 * Arguments: the key, the entry, its length, the maximum number of entries, their maximum length, and that of all logs.
 * Returns the number of the entry.
 */
const append = String.raw`
local key, length = ARGV[1], tonumber(ARGV[3])
local maxEntries, maxLength, max = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local record = load(key)
if not record then return false end
local own, logs, written = at('l', key), at('w', 'logs'), at('w', 'written')
local last, held = string.match(redis.call('HGET', logs, key) or '0:0', '^(%d+):(%d+)$')
last = last + 1
local size = redis.call('RPUSH', own, length .. ':' .. ARGV[2])
local grown = length
while size > 1 and (size > maxEntries or held + grown > maxLength) do
  grown = grown - string.match(redis.call('LPOP', own), '^(%d+):')
  size = size - 1
end
redis.call('HSET', logs, key, last .. ':' .. (held + grown))
redis.call('ZADD', written, moment, key)
redis.call('PEXPIRE', own, math.max(redis.call('PTTL', at('r', key)), 1))
count('logs', grown)
local all = total('logs')
while all > max do
  local oldest = redis.call('ZRANGE', written, 0, 0)[1]
  if not oldest or oldest == key then break end
  local number, freed = string.match(redis.call('HGET', logs, oldest) or '0:0', '^(%d+):(%d+)$')
  redis.call('DEL', at('l', oldest))
  redis.call('ZREM', written, oldest)
  redis.call('HSET', logs, oldest, number .. ':0')
  count('logs', -freed)
  all = all - freed
end
for _, name in ipairs({ 'total', 'logs', 'written' }) do sustainWeight(name, record[KIND]) end
return last
`;

/** Arguments: the key, the number of the entry before. Returns the number of the first, and the entries with their lengths. */
const after = String.raw`
local key, position = ARGV[1], tonumber(ARGV[2])
if not load(key) then return false end
local last = tonumber(string.match(redis.call('HGET', at('w', 'logs'), key) or '', '^%d+'))
local size = redis.call('LLEN', at('l', key))
if not last or size == 0 or position > last or position < last - size then return false end
local from = position - (last - size)
return { position + 1, redis.call('LRANGE', at('l', key), from, -1) }
`;

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
  leaseQuota: script(prelude + leaseQuota),
  alter: script(prelude + alter),
  append: script(prelude + append),
  after: script(prelude + after),
  mark: script(mark),
  // A cluster keeps the order of messages from one node: scripts run on the node of KEYS[1].
  publish: script("return redis.call('PUBLISH', ARGV[1], ARGV[2])"),
} as const;
