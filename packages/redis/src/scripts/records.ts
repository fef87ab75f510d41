/** Arguments: the key, its life, names and values of fields. Gives 2 where there is no room. */
export const create = String.raw`
return create(ARGV[1], lifeGiven(), { unpack(ARGV, 12) }) and 1 or 2
`;

/** The same. */
export const claim = String.raw`
if load(ARGV[1]) then return 0 end
return create(ARGV[1], lifeGiven(), { unpack(ARGV, 12) }) and 1 or 0
`;

/** Arguments: the key, how long it lives from now, and for how long it is in use. */
export const read = String.raw`
local record = load(ARGV[1])
if not record then return false end
local ttl = tonumber(ARGV[2])
if keepBusy(record, tonumber(ARGV[3])) then save(ARGV[1], record, ttl) end
use(ARGV[1], record, ttl)
return record[FIELDS]
`;

/**
 * Arguments: as for `read`; how many fields are expected, and each by its name, "=" or "-", and the value; then the
 * changes, written as these. Gives 2 where a field is not as expected.
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

/** Arguments: the key; and, where only who holds it may remove it, the holder. */
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

/** Arguments: the key, its life, how many more. Gives how many there are, and for how many milliseconds they count. */
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
