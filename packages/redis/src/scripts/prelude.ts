/*
 * The common part of all scripts. All keys of a store share the hash tag KEYS[1], and so a slot:
 *
 *   …:r:KEY          a record: "1", then kind, owner, the time until which it is in use, length and fields, packed
 *   …:m:KEY, …:l:KEY its members (a set), its log (a list of "LENGTH:ENTRY")
 *   …:e:KIND         when each record of the kind expires; a member is "LENGTH:LENGTH OF OWNER:OWNER KEY"
 *   …:o:KIND OWNER   when each record of an owner was last used, or stops being in use
 *   …:s:COUNT KIND   when each owner with so many records last used one; …:k:KIND  the existing counts
 *   …:g              a mark that shows instances whether Redis was emptied
 *   …:w:…            the sizes: total, members and owners (of members), logs and written (of logs), rooms (of owners in kinds
 *                    with a separate budget: in total, that is "room KIND")
 *
 * Redis expires records. The indexes are swept when records are created.
 */
export const prelude = String.raw`
local base = KEYS[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local moment = clock[1] * 1000000 + clock[2]
local KIND, OWNER, BUSY, LENGTH, FIELDS = 1, 2, 3, 4, 5
local weights = { 'total', 'members', 'owners', 'logs', 'written', 'rooms' }

local function at(letter, name) return base .. ':' .. letter .. ':' .. name end
local function ofOwner(kind, owner) return #kind .. ':' .. kind .. owner end

local function load(key)
  local text = redis.call('GET', at('r', key))
  if not text then return nil end
  if string.sub(text, 1, 1) ~= '1' then error('ccmcp-foreign') end
  return cmsgpack.unpack(string.sub(text, 2))
end

local function save(key, record, ttl)
  redis.call('SET', at('r', key), '1' .. cmsgpack.pack(record), 'PX', math.max(ttl, 1))
end

local function entryOf(key, record) return record[LENGTH] .. ':' .. #record[OWNER] .. ':' .. record[OWNER] .. key end

-- Gives an index key the life of its records: at least a minute, never unlimited.
local function sustain(name, ttl)
  local left = redis.call('PTTL', name)
  if left == -1 or left < ttl then redis.call('PEXPIRE', name, math.max(ttl, 60000)) end
end

local function sustainWeight(name, kind)
  sustain(at('w', name), redis.call('PTTL', at('e', kind)))
end

-- Adds to the size of all records; the total expires with them.
local function countTotal(name, more)
  redis.call('HINCRBY', at('w', 'total'), name, more)
  sustain(at('w', 'total'), 0)
end

local function count(name, more)
  if more ~= 0 then countTotal(name, more) end
end

local function total(name) return tonumber(redis.call('HGET', at('w', 'total'), name) or 0) end

local function apart(kind) return 'room ' .. kind end

-- Adds the size of a record to the shared budget, or to that of its kind.
local function weigh(kind, owner, more)
  if more == 0 then return end
  if redis.call('HEXISTS', at('w', 'total'), apart(kind)) == 0 then return count('records', more) end
  count(apart(kind), more)
  local own = ofOwner(kind, owner)
  if tonumber(redis.call('HINCRBY', at('w', 'rooms'), own, more)) <= 0 then redis.call('HDEL', at('w', 'rooms'), own) end
  sustainWeight('rooms', kind)
end

-- Fails if Redis is full: Redis checks only before the first writing command of a script.
local function needRoom() countTotal('records', 0) end

local function leaveSize(kind, size, owner)
  local owners = at('s', size .. ':' .. kind)
  redis.call('ZREM', owners, owner)
  if redis.call('EXISTS', owners) == 0 then redis.call('ZREM', at('k', kind), size) end
end

-- Updates the number of records of an owner.
local function settle(kind, owner, more, used)
  local size = redis.call('ZCARD', at('o', ofOwner(kind, owner)))
  local before = size - more
  if before > 0 and more ~= 0 then
    used = used or redis.call('ZSCORE', at('s', before .. ':' .. kind), owner)
    leaveSize(kind, before, owner)
  elseif before <= 0 then
    -- The index of the owner's records may have expired before it was swept.
    for _, each in ipairs(redis.call('ZRANGE', at('k', kind), 0, -1)) do leaveSize(kind, each, owner) end
  end
  if size > 0 and used then
    local own, life = at('s', size .. ':' .. kind), redis.call('PTTL', at('e', kind))
    redis.call('ZADD', own, used, owner)
    sustain(own, life)
    if more ~= 0 then
      redis.call('ZADD', at('k', kind), size, size)
      sustain(at('k', kind), life)
    end
  end
end

-- Extends the life of a record and marks it as the most recently used.
local function use(key, record, ttl)
  local kind, owner = record[KIND], record[OWNER]
  local expiries, uses = at('e', kind), at('o', ofOwner(kind, owner))
  for _, letter in ipairs({ 'r', 'm', 'l' }) do redis.call('PEXPIRE', at(letter, key), ttl) end
  if redis.call('ZADD', expiries, now + ttl, entryOf(key, record)) == 1 then weigh(kind, owner, record[LENGTH]) end
  local more = redis.call('ZADD', uses, math.max(moment, record[BUSY] * 1000), key)
  if redis.call('PTTL', expiries) < ttl then
    local longer = ttl * 2 + 60000
    redis.call('PEXPIRE', expiries, longer)
    redis.call('PEXPIRE', at('k', kind), longer)
    for _, name in ipairs(weights) do sustain(at('w', name), longer) end
  end
  sustain(uses, redis.call('PTTL', expiries))
  settle(kind, owner, more, moment)
end

-- True if this extends the time for which a record is in use.
local function keepBusy(record, ms)
  if ms <= 0 or now + ms <= record[BUSY] then return false end
  record[BUSY] = now + ms
  return true
end

local function forgetMembers(key)
  redis.call('DEL', at('m', key))
  local known = redis.call('HGET', at('w', 'members'), key)
  if not known then return end
  local weight, owner = string.match(known, '^(%d+):(.*)$')
  redis.call('HDEL', at('w', 'members'), key)
  count('members', -weight)
  if owner == '' then return end
  if tonumber(redis.call('HINCRBY', at('w', 'owners'), owner, -weight)) <= 0 then
    redis.call('HDEL', at('w', 'owners'), owner)
  end
end

local function forgetLog(key)
  redis.call('DEL', at('l', key))
  local known = redis.call('HGET', at('w', 'logs'), key)
  if not known then return end
  redis.call('HDEL', at('w', 'logs'), key)
  redis.call('ZREM', at('w', 'written'), key)
  count('logs', -string.match(known, ':(%d+)$'))
end

local function unlist(kind, owner, entry, length)
  if redis.call('ZREM', at('e', kind), entry) == 1 then weigh(kind, owner, -length) end
end

local function drop(key, record)
  local kind, owner = record[KIND], record[OWNER]
  redis.call('DEL', at('r', key))
  forgetMembers(key)
  forgetLog(key)
  unlist(kind, owner, entryOf(key, record), record[LENGTH])
  settle(kind, owner, -redis.call('ZREM', at('o', ofOwner(kind, owner)), key))
end

-- Removes expired records from the indexes, at most 100 at a time, to bound the run time.
local function sweep(kind)
  local expired = redis.call('ZRANGEBYSCORE', at('e', kind), '-inf', now, 'LIMIT', 0, 100)
  for _, entry in ipairs(expired) do
    local length, size, rest = string.match(entry, '^(%d+):(%d+):(.*)$')
    local owner, key = string.sub(rest, 1, size), string.sub(rest, size + 1)
    local record = load(key)
    if record and record[KIND] == kind and entryOf(key, record) == entry then
      drop(key, record)
    else
      unlist(kind, owner, entry, length)
      -- The record may have been created again, for another owner.
      if not record then
        forgetMembers(key)
        forgetLog(key)
      end
      if not record or record[KIND] ~= kind or record[OWNER] ~= owner then
        settle(kind, owner, -redis.call('ZREM', at('o', ofOwner(kind, owner)), key))
      end
    end
  end
end

-- The least recently used record of an owner, and whether it is in use.
local function leastUsed(kind, owner, newest)
  local uses = redis.call('ZRANGE', at('o', ofOwner(kind, owner)), 0, 1, 'WITHSCORES')
  if uses[1] == newest then table.remove(uses, 1) table.remove(uses, 1) end
  return uses[1], tonumber(uses[2] or 0) > moment
end

-- Picks the record of a kind to evict: of the owner who has most; one in use only if all candidates are.
local function nextToGo(kind, newest)
  local inUse, inUseOwner
  local looked = 0
  for _, size in ipairs(redis.call('ZREVRANGE', at('k', kind), 0, -1)) do
    for _, owner in ipairs(redis.call('ZRANGE', at('s', size .. ':' .. kind), 0, 999)) do
      local key, busy = leastUsed(kind, owner, newest)
      if key and not busy then return key, owner end
      if key and not inUse then inUse, inUseOwner = key, owner end
      looked = looked + 1
    end
    if looked >= 1000 then break end
  end
  return inUse, inUseOwner
end

local function evict(kind, owner, key)
  local record = load(key)
  if record and record[KIND] == kind and record[OWNER] == owner then return drop(key, record) end
  settle(kind, owner, -redis.call('ZREM', at('o', ofOwner(kind, owner)), key))
end

local function liveOf(kind)
  return redis.call('ZCARD', at('e', kind)) - redis.call('ZCOUNT', at('e', kind), '-inf', now)
end

local function lengthOf(fields)
  local length = 0
  for _, text in ipairs(fields) do length = length + #text end
  return length
end

-- True if one more record fits without an eviction.
local function hasRoom(life, more)
  if total(apart(life.kind)) + more > life.room or liveOf(life.kind) >= life.limit then return false end
  local own = tonumber(redis.call('HGET', at('w', 'rooms'), ofOwner(life.kind, life.owner)) or 0)
  return life.owner == '' or own + more <= life.ownerRoom
end

-- Evicts an owner's least recently used records until one more fits; none if it would not fit without all of them.
local function evictOwn(life, more)
  local kind, owner = life.kind, life.owner
  local size = redis.call('ZCARD', at('o', ofOwner(kind, owner)))
  local length = tonumber(redis.call('HGET', at('w', 'rooms'), ofOwner(kind, owner)) or 0)
  if more > life.ownerRoom and owner ~= '' then return end
  if total(apart(kind)) - length + more > life.room or liveOf(kind) - size >= life.limit then return end
  while not hasRoom(life, more) do
    local key = leastUsed(kind, owner)
    if not key then return end
    evict(kind, owner, key)
  end
end

-- Creates a record; returns false without a change if its kind has a separate budget without room.
local function create(key, life, fields)
  local kind, owner = life.kind, life.owner
  local former = load(key)
  needRoom()
  if life.room then
    countTotal(apart(kind), 0)
    while redis.call('ZCOUNT', at('e', kind), '-inf', now) > 0 and not hasRoom(life, lengthOf(fields)) do sweep(kind) end
    if life.evictOwn then evictOwn(life, lengthOf(fields)) end
    if not hasRoom(life, lengthOf(fields)) then return false end
  end
  if former then
    drop(key, former)
  else
    forgetMembers(key)
    forgetLog(key)
  end
  sweep(kind)
  local record = { kind, owner, 0, lengthOf(fields), fields }
  keepBusy(record, life.busy)
  save(key, record, life.ttl)
  use(key, record, life.ttl)
  while redis.call('ZCARD', at('o', ofOwner(kind, owner))) > life.ownerLimit do
    evict(kind, owner, (leastUsed(kind, owner, key)) or key)
  end
  while true do
    local live = liveOf(kind)
    local fits = life.room or live <= 1 or total('records') <= life.max
    if live <= life.limit and fits then return true end
    local gone, whose = nextToGo(kind, key)
    if not gone then gone, whose = key, owner end
    if redis.call('ZCARD', at('o', ofOwner(kind, whose))) == 0 then return true end
    evict(kind, whose, gone)
  end
end

-- Reads the life from the arguments, starting with the second.
local function lifeGiven()
  return {
    kind = ARGV[2], owner = ARGV[3], ttl = tonumber(ARGV[4]), busy = tonumber(ARGV[5]),
    limit = tonumber(ARGV[6]), ownerLimit = tonumber(ARGV[7]), max = tonumber(ARGV[8]),
    room = tonumber(ARGV[9]), ownerRoom = tonumber(ARGV[10]), evictOwn = ARGV[11] == '1',
  }
end

local function valueOf(record, name)
  local fields = record[FIELDS]
  for index = 1, #fields, 2 do if fields[index] == name then return fields[index + 1] end end
  return false
end

-- Replaces the fields of a record, or creates it.
local function replace(key, record, life, fields)
  if not record then return create(key, life, fields) end
  needRoom()
  unlist(record[KIND], record[OWNER], entryOf(key, record), record[LENGTH])
  record[FIELDS] = fields
  record[LENGTH] = lengthOf(fields)
  keepBusy(record, life.busy)
  save(key, record, life.ttl)
  use(key, record, life.ttl)
end

-- Sets or removes fields: each change is a name, "=" or "-", and the value.
local function change(key, record, from)
  needRoom()
  unlist(record[KIND], record[OWNER], entryOf(key, record), record[LENGTH])
  local changed = {}
  for index = from, #ARGV, 3 do changed[ARGV[index]] = { ARGV[index + 1], ARGV[index + 2] } end
  local fields = {}
  for index = 1, #record[FIELDS], 2 do
    local name = record[FIELDS][index]
    if not changed[name] then
      fields[#fields + 1] = name
      fields[#fields + 1] = record[FIELDS][index + 1]
    end
  end
  for name, new in pairs(changed) do
    if new[1] == '=' then
      fields[#fields + 1] = name
      fields[#fields + 1] = new[2]
    end
  end
  record[FIELDS] = fields
  record[LENGTH] = lengthOf(fields)
end
`;
