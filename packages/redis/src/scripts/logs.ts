/**
 * Arguments: the key, the entry, its length, how many entries there may be, how long together, and how long those of all
 * logs. Gives the number of the entry.
 */
export const append = String.raw`
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

/** Arguments: the key, the number of the entry before. Gives the number of the first, and the entries with their lengths. */
export const after = String.raw`
local key, position = ARGV[1], tonumber(ARGV[2])
if not load(key) then return false end
local last = tonumber(string.match(redis.call('HGET', at('w', 'logs'), key) or '', '^%d+'))
local size = redis.call('LLEN', at('l', key))
if not last or size == 0 or position > last or position < last - size then return false end
local from = position - (last - size)
return { position + 1, redis.call('LRANGE', at('l', key), from, -1) }
`;
