/**
 * Arguments: the key, its life, how many tokens are wanted, how many the bucket holds, how many come in a millisecond. Gives
 * how many were taken, and what is left.
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

/** Arguments: the key, its life, the holder, how many places it wants, how many there are. Gives how many it has. */
export const hold = String.raw`
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
