/**
 * Arguments: the key, its life, the tokens wanted, the size of the bucket, the tokens added per millisecond. Returns the
 * tokens taken and left.
 */
export const take = String.raw`
local key, life = ARGV[1], lifeGiven()
local wanted, size, perMs = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
local record = load(key)
local there = size
if record then
  local passed = math.max(moment / 1000 - tonumber(valueOf(record, 'at') or 0), 0)
  there = math.min(size, tonumber(valueOf(record, 'tokens') or size) + passed * perMs)
end
local taken = wanted
if wanted >= 0 then taken = math.min(wanted, math.floor(there + 0.000001)) end
local left = math.min(size, there - taken)
local text = string.format('%.9f', left)
replace(key, record, life, { 'tokens', text, 'at', string.format('%.3f', moment / 1000) })
return { string.format('%.0f', taken), text }
`;

/** Arguments: the key, its life, the holder, the units wanted, the total. Returns the units leased. */
export const leaseQuota = String.raw`
local key, life = ARGV[1], lifeGiven()
local holder, wanted, max = ARGV[12], tonumber(ARGV[13]), tonumber(ARGV[14])
local record = load(key)
local fields, others = {}, 0
local known = record and record[FIELDS] or {}
for index = 1, #known, 2 do
  local count, ends = string.match(known[index + 1], '^(%d+) (%d+)$')
  if known[index] ~= holder and ends and tonumber(ends) > now then
    fields[#fields + 1] = known[index]
    fields[#fields + 1] = known[index + 1]
    others = others + count
  end
end
local held = math.max(math.min(wanted, max - others), 0)
if held > 0 then
  fields[#fields + 1] = holder
  fields[#fields + 1] = string.format('%.0f %.0f', held, now + life.ttl)
end
if #fields > 0 then replace(key, record, life, fields) elseif record then drop(key, record) end
return held
`;

/** Arguments: the key, its life, names and values of fields. Returns 2 if there is no room. */
export const create = String.raw`
return create(ARGV[1], lifeGiven(), { unpack(ARGV, 12) }) and 1 or 2
`;

/** As `create`; returns 0 if the record exists or there is no room. */
export const claim = String.raw`
if load(ARGV[1]) then return 0 end
return create(ARGV[1], lifeGiven(), { unpack(ARGV, 12) }) and 1 or 0
`;

/** Arguments: the key, its new lifetime, and for how long it is in use. */
export const read = String.raw`
local record = load(ARGV[1])
if not record then return false end
local ttl = tonumber(ARGV[2])
if keepBusy(record, tonumber(ARGV[3])) then save(ARGV[1], record, ttl) end
use(ARGV[1], record, ttl)
return record[FIELDS]
`;

/**
 * Arguments: as for `read`; the number of expected fields, each as name, "=" or "-", and value; then the changes in the
 * same form. Returns 2 if a field is not as expected.
 */
export const update = String.raw`
local record = load(ARGV[1])
if not record then return 0 end
local from = 5 + ARGV[4] * 3
for index = 5, from - 1, 3 do
  local expected = ARGV[index + 1] == '=' and ARGV[index + 2]
  if valueOf(record, ARGV[index]) ~= expected then return 2 end
end
local ttl = tonumber(ARGV[2])
keepBusy(record, tonumber(ARGV[3]))
change(ARGV[1], record, from)
save(ARGV[1], record, ttl)
use(ARGV[1], record, ttl)
return 1
`;

/** Arguments: the key; for a lease, the holder. */
export const remove = String.raw`
local record = load(ARGV[1])
if not record then return 0 end
if ARGV[2] and valueOf(record, 'holder') ~= ARGV[2] then return 0 end
drop(ARGV[1], record)
return 1
`;

/** Arguments: the key, its life, the holder. */
export const lease = String.raw`
local record, life = load(ARGV[1]), lifeGiven()
if not record then
  create(ARGV[1], life, { 'holder', ARGV[12] })
elseif valueOf(record, 'holder') ~= ARGV[12] then
  return 0
else
  if keepBusy(record, life.busy) then save(ARGV[1], record, life.ttl) end
  use(ARGV[1], record, life.ttl)
end
return 1
`;

/** Arguments: the key, its life, the number to add. Returns the count and its remaining milliseconds. */
export const countUp = String.raw`
local record, life = load(ARGV[1]), lifeGiven()
local sum = tonumber(ARGV[12])
if not record then
  create(ARGV[1], life, { 'count', string.format('%.0f', sum) })
  return { string.format('%.0f', sum), life.ttl }
end
local left = math.max(redis.call('PTTL', at('r', ARGV[1])), 1)
sum = sum + tonumber(valueOf(record, 'count') or 0)
unlist(record[KIND], record[OWNER], entryOf(ARGV[1], record), record[LENGTH])
record[FIELDS] = { 'count', string.format('%.0f', sum) }
record[LENGTH] = lengthOf(record[FIELDS])
save(ARGV[1], record, left)
use(ARGV[1], record, left)
return { string.format('%.0f', sum), left }
`;
