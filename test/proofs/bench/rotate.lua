-- Visits a prefix with a number behind it: `from` first, then one more each time, and `from` again after `count`.
local prefix, from, count, n

function init(args)
  prefix, from, count, n = args[1], tonumber(args[2]), tonumber(args[3]), 0
end

function request()
  local path = prefix .. (from + n % count)
  n = n + 1
  return wrk.format("GET", path)
end
