-- What wrk sends and how it checks the answers:  wrk -s wrk.lua URL -- FILE
-- FILE has the requests that are sent in turns, divided by form feeds. The id in them is replaced, each time by another one.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

local requests = {}
local count = 0
local id = 10000000
local open = {}
wrong = 0
example = ""

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for text in string.gmatch(file:read("*a"), "[^\f]+") do
    local before, between, after = string.match(text, "^(.-)10000000(.-)10000000(.*)$")
    table.insert(requests, { before, between, after })
  end
  file:close()
end

function request()
  local parts = requests[count % #requests + 1]
  count = count + 1
  id = id + 1
  local text = tostring(id)
  open[text] = true
  return parts[1] .. text .. parts[2] .. text .. parts[3]
end

function response(status, headers, body)
  local answered = string.match(body, '"id":(%d+)')
  if status == 200 and answered and open[answered] and string.find(body, "hello " .. answered .. '"', 1, true) then
    open[answered] = nil
    return
  end
  wrong = wrong + 1
  example = status .. " " .. string.sub(body, 1, 300)
end

function done(summary, latency)
  local all = 0
  local shown = ""
  for _, thread in ipairs(threads) do
    all = all + thread:get("wrong")
    if thread:get("example") ~= "" then shown = thread:get("example") end
  end
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(
    string.format(
      "RESULT requests=%d us=%d bytes=%d p50=%d p99=%d wrong=%d errors=%d\n",
      summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99), all, errors
    )
  )
  if all > 0 then io.write("WRONG " .. shown .. "\n") end
end
