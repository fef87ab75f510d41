/**
 * Arguments: the key; how many members there may be, how long together, how long those of the owner, and of all records;
 * how many are added, and each with its length; then those that are removed, as these. Gives 2 where there is no room.
 */
export const alter = String.raw`
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
