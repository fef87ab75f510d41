/** Leaves a mark where there is none, ARGV[1], and gives the one that was there; it lives for ARGV[2] from now on. */
export const mark: string = String.raw`
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
