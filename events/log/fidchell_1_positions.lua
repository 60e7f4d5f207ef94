-- Projections: how far each version is, which is made, which is read; and what the feed need not hold for them.

-- Whether the feed went on without what stands at a position.
local function left_behind(positions, name, number)
  return redis.call('HGET', positions, 'stale:' .. name) or number < whole(redis.call('HGET', positions, ':trimmed'))
end

-- KEYS positions. ARGV projection, number. Returns the position it has; the number when it had none.
local function register(keys, args)
  local stored = redis.call('HGET', keys[1], args[1])
  if left_behind(keys[1], args[1], whole(stored or args[2])) then
    return redis.error_reply('STALE ' .. args[1])
  end
  if not stored then
    redis.call('HSET', keys[1], args[1], args[2])
  end
  return stored or args[2]
end

-- KEYS positions, cursor. ARGV projection, 1 to mark the beginning of a rebuild here.
-- Has the feed held from its end on for a projection that is to be rebuilt, unless it is held for it already.
-- Returns from where on it is held.
local function hold(keys, args)
  local stored = redis.call('HGET', keys[1], args[1])
  if stored and not left_behind(keys[1], args[1], whole(stored)) then
    return stored
  end
  local last = redis.call('HGET', keys[2], 'n') or '0'
  redis.call('HSET', keys[1], args[1], last)
  if args[2] == '1' then
    redis.call('HSET', keys[1], 'build:' .. args[1], last .. ':0:0')
  end
  redis.call('HDEL', keys[1], 'stale:' .. args[1])
  return last
end

-- KEYS positions across partitions. ARGV partition, position expected or '', position. Marks the beginning of a rebuild.
local function begin(keys, args)
  if (redis.call('HGET', keys[1], args[1]) or '') ~= args[2] then
    return 0
  end
  redis.call('HSET', keys[1], args[1], args[3], 'build:' .. args[1], args[3] .. ':0:0')
  return 1
end

-- KEYS a hash. ARGV field, value expected or '', value or ''. Sets or removes a field that is as expected.
local function swap(keys, args)
  if (redis.call('HGET', keys[1], args[1]) or '') ~= args[2] then
    return 0
  end
  if args[3] == '' then
    redis.call('HDEL', keys[1], args[1])
  else
    redis.call('HSET', keys[1], args[1], args[3])
  end
  return 1
end

-- KEYS what is live. ARGV projection. Has the next version made. Returns its number.
local function ask(keys, args)
  local live = redis.call('HGET', keys[1], args[1]) or '1'
  redis.call('HSETNX', keys[1], 'coming:' .. args[1], plain(whole(live) + 1))
  return redis.call('HGET', keys[1], 'coming:' .. args[1])
end

-- KEYS what is live, positions of the version that is, positions of the one to come (the same hash in a partition).
-- ARGV projection, number that is live, number to come, then a field of each position.
-- A projection across partitions has a field for each partition, and none is named; else the old and the new.
-- Returns 1 when the new one is live from now on, 0 when it is not ready.
local function switch(keys, args)
  if (redis.call('HGET', keys[1], args[1]) or '1') ~= args[2] then
    return 0
  end
  if redis.call('HGET', keys[1], 'coming:' .. args[1]) ~= args[3] then
    return 0
  end
  local old, new = { args[4] }, { args[5] }
  if not args[4] then
    for _, field in ipairs(redis.call('HKEYS', keys[2])) do
      if field:sub(1, 6) ~= 'build:' then
        old[#old + 1], new[#new + 1] = field, field
      end
    end
  end
  for index, field in ipairs(old) do
    local before, after = redis.call('HGET', keys[2], field), redis.call('HGET', keys[3], new[index])
    if not after or redis.call('HEXISTS', keys[3], 'build:' .. new[index]) == 1 or whole(after) < whole(before) then
      return 0
    end
  end
  redis.call('HSET', keys[1], args[1], args[3], 'going:' .. args[1] .. '@' .. args[2], '0')
  redis.call('HDEL', keys[1], 'coming:' .. args[1])
  if args[4] then
    redis.call('HDEL', keys[2], args[4], 'stale:' .. args[4])
  end
  return 1
end

-- KEYS positions. ARGV projection, number. Moves a position forward, never back.
local function tell(keys, args)
  if whole(redis.call('HGET', keys[1], args[1])) < whole(args[2]) then
    redis.call('HSET', keys[1], args[1], args[2])
  end
  if whole(args[2]) >= whole(redis.call('HGET', keys[1], ':trimmed')) then
    redis.call('HDEL', keys[1], 'stale:' .. args[1])
  end
  return 1
end

-- KEYS feed, cursor, positions. ARGV how far behind is too far.
-- Returns the projections that are too far behind, now or before.
local function trim_feed(keys, args)
  local wrong = mistyped(keys, { 'stream', 'hash', 'hash' })
  if wrong then
    return damaged('-', wrong)
  end
  local last = whole(redis.call('HGET', keys[2], 'n'))
  local farthest = last - whole(args[1])
  local trimmed = whole(redis.call('HGET', keys[3], ':trimmed'))
  local fields, numbers, stale, floor = redis.call('HGETALL', keys[3]), {}, {}, nil
  for index = 1, #fields, 2 do
    local name = fields[index]
    if name:sub(1, 6) == 'stale:' then
      stale[name:sub(7)] = true
    elseif name ~= ':trimmed' and name:sub(1, 6) ~= 'build:' then
      numbers[name] = whole(fields[index + 1])
    end
  end
  for name, number in pairs(numbers) do
    if not stale[name] and (number < farthest or number < trimmed) then
      redis.call('HSET', keys[3], 'stale:' .. name, plain(last))
      stale[name] = true
    elseif not stale[name] and (not floor or number < floor) then
      floor = number
    end
  end
  floor = floor or farthest
  if floor > trimmed then
    redis.call('HSET', keys[3], ':trimmed', plain(floor))
    redis.call('XTRIM', keys[1], 'MINID', '=', plain(floor + 1) .. '-0')
  end
  local names = {}
  for name in pairs(stale) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

redis.register_function('fidchell_1_register', register)
redis.register_function('fidchell_1_tell', tell)
redis.register_function('fidchell_1_hold', hold)
redis.register_function('fidchell_1_begin', begin)
redis.register_function('fidchell_1_swap', swap)
redis.register_function('fidchell_1_ask', ask)
redis.register_function('fidchell_1_switch', switch)
redis.register_function('fidchell_1_trim_feed', trim_feed)
