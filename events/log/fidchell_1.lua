#!lua name=fidchell_1

-- Everything that must happen at once or not at all.
--
-- Each function declares all its keys, makes all its checks before its first write, and answers a failed check with
-- an error whose first word is its name: LOST, FENCED, GAP, CONFLICT, ORDER, STALE, BACKLOG, TOOLARGE.
-- Larger arguments come as one MessagePack value. Numbers stay below 2^53, entry ids are strings.
-- A release that changes what a function does brings a library of the next number beside this one.

local function whole(text)
  return tonumber(text) or 0
end

local function plain(number)
  return string.format('%.0f', number)
end

local function now()
  local time = redis.call('TIME')
  return whole(time[1]) * 1000 + math.floor(whole(time[2]) / 1000)
end

local function lost(key)
  return redis.error_reply('LOST ' .. key .. ' is not in the store')
end

-- Whether another store stands where the caller's was: its cursors bear another epoch.
local function other(key, epoch)
  local found = redis.call('HGET', key, 'epoch')
  return epoch and found and found ~= epoch
end

local function replaced(key)
  return redis.error_reply('LOST ' .. key .. ' is of another epoch')
end

-- True when entry id a stands behind entry id b.
local function behind(a, b)
  local a_time, a_number = a:match('^(%d+)-(%d+)$')
  local b_time, b_number = b:match('^(%d+)-(%d+)$')
  a_time, b_time = whole(a_time), whole(b_time)
  if a_time ~= b_time then
    return a_time > b_time
  end
  return whole(a_number) > whole(b_number)
end

-- KEYS command stream, cursor. ARGV backlog limit, size limit, envelope, epoch. Returns the entry id.
local function submit(keys, args)
  local cursor = redis.call('HMGET', keys[2], 'pos', 'kept')
  if not cursor[1] then
    return lost(keys[2])
  end
  if other(keys[2], args[4]) then
    return replaced(keys[2])
  end
  if #args[3] > whole(args[2]) then
    return redis.error_reply('TOOLARGE a command of ' .. #args[3] .. ' bytes')
  end
  local length = redis.call('XLEN', keys[1])
  local limit = whole(args[1])
  if length >= limit and length - whole(cursor[2]) >= limit then
    return redis.error_reply('BACKLOG ' .. length .. ' commands in ' .. keys[1])
  end
  return redis.call('XADD', keys[1], '*', 'body', args[3])
end

-- KEYS workers of a game. ARGV owner, or '' to ask only, time to live. Returns all live workers by name.
-- It is asked for several times a second: nothing is written while the last announcement is fresh.
local function announce(keys, args)
  local time, ttl = now(), whole(args[2])
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', plain(time))
  if args[1] ~= '' and whole(redis.call('ZSCORE', keys[1], args[1])) < time + ttl * 2 / 3 then
    redis.call('ZADD', keys[1], plain(time + ttl), args[1])
  end
  local names = redis.call('ZRANGE', keys[1], 0, -1)
  table.sort(names)
  return names
end

-- KEYS cursor. ARGV owner, time to live, epoch. Returns fence, position, feed number and 1 for a clean hand-over, or nil.
local function acquire(keys, args)
  local cursor = redis.call('HMGET', keys[1], 'owner', 'until', 'fence', 'pos', 'n')
  if not cursor[4] then
    return lost(keys[1])
  end
  if other(keys[1], args[3]) then
    return replaced(keys[1])
  end
  local owner, time = cursor[1], now()
  if owner and owner ~= args[1] and whole(cursor[2]) > time then
    return false
  end
  local fence = plain(whole(cursor[3]) + 1)
  redis.call('HSET', keys[1], 'owner', args[1], 'until', plain(time + whole(args[2])), 'fence', fence)
  local clean = (not owner or owner == args[1]) and '1' or '0'
  return { fence, cursor[4], cursor[5] or '0', clean }
end

-- Fences may repeat when the server forgot its last second; owners do not.
local function holds(key, fence, owner)
  local lease = redis.call('HMGET', key, 'owner', 'fence')
  return lease[1] and lease[1] == owner and lease[2] == fence
end

-- KEYS cursor. ARGV fence, owner, time to live. Returns the position, by which a worker that is ahead of a store that
-- went back finds out; '' when the lease is lost.
local function renew(keys, args)
  if not holds(keys[1], args[1], args[2]) then
    return ''
  end
  redis.call('HSET', keys[1], 'until', plain(now() + whole(args[3])))
  return redis.call('HGET', keys[1], 'pos') or ''
end

-- KEYS cursor. ARGV fence, owner. Returns 1, or 0 when the lease was lost already.
local function release(keys, args)
  if not holds(keys[1], args[1], args[2]) then
    return 0
  end
  redis.call('HDEL', keys[1], 'owner', 'until')
  return 1
end

-- KEYS cursor. ARGV fence, owner, entry id. Returns under how many leases the command was about to be handled alone:
-- clients repeat a call whose reply was lost, which is no new attempt.
local function attempt(keys, args)
  if not holds(keys[1], args[1], args[2]) then
    return redis.error_reply('FENCED ' .. keys[1])
  end
  local entry, count, fence = (redis.call('HGET', keys[1], 'try') or ''):match('^(%S+) (%d+) ?(%d*)$')
  local attempts = entry == args[3] and whole(count) or 0
  if attempts == 0 or fence ~= args[1] then
    attempts = attempts + 1
    redis.call('HSET', keys[1], 'try', args[3] .. ' ' .. plain(attempts) .. ' ' .. args[1])
  end
  return attempts
end

-- Cut the command stream at the oldest mark: marks are set at every tenth of what is kept and never lie ahead of the
-- cursor, so nothing that waits is ever cut, whatever happened to the stream otherwise.
local function trim_commands(commands, position, kept, since, marks, keep)
  if since * 10 < keep then
    return kept, since, marks
  end
  marks = marks .. position .. ' '
  local _, count = marks:gsub(' ', '')
  if count > 11 then
    marks = marks:gsub('^%S+ ', '')
    kept = kept - redis.call('XTRIM', commands, 'MINID', '=', marks:match('^%S+'))
  end
  local last = redis.call('XREVRANGE', commands, '+', '-', 'COUNT', 1)[1]
  if last and last[1] == position then
    kept = redis.call('XLEN', commands)
  end
  return kept, 0, marks
end

-- KEYS command stream, cursor, feed, tables, secrets, dead letters, then truth and head of each table.
-- ARGV push channel, batch, epoch
--   batch: {fence, owner, after, position, handled, keep, tables, dead letters, answers or ''}
--   table: {name, expected chain, {{entry id, entry}, ...}, version, status or '', chain, opened or false,
--     secret or false}
--   dead letter: {entry id, envelope, reason}
-- Returns the number of the last feed entry.
local function commit(keys, args)
  local batch = cmsgpack.unpack(args[2])
  local fence, owner, after, position, handled, keep = batch[1], batch[2], batch[3], batch[4], batch[5], batch[6]
  local tables, dead, answers = batch[7], batch[8], batch[9]
  local cursor = redis.call('HMGET', keys[2], 'owner', 'fence', 'pos', 'n', 'kept', 'since', 'marks')
  if not cursor[3] then
    return lost(keys[2])
  end
  if other(keys[2], args[3]) then
    return replaced(keys[2])
  end
  if not cursor[1] or cursor[1] ~= owner or cursor[2] ~= fence then
    return redis.error_reply('FENCED ' .. keys[2])
  end
  if cursor[3] ~= after then
    return redis.error_reply('GAP the cursor of ' .. keys[2] .. ' is ' .. cursor[3] .. ', not ' .. after)
  end
  if not behind(position, after) then
    return redis.error_reply('ORDER the cursor ' .. position .. ' is not behind ' .. after)
  end
  for index, each in ipairs(tables) do
    local chain = redis.call('HGET', keys[2 * index + 6], 'chain') or ''
    if chain ~= each[2] then
      return redis.error_reply('CONFLICT ' .. each[1])
    end
    local last = '0-0'
    for _, entry in ipairs(each[3]) do
      if not behind(entry[1], last) then
        return redis.error_reply('ORDER ' .. entry[1] .. ' of ' .. each[1])
      end
      last = entry[1]
    end
  end

  local feed = whole(cursor[4])
  for index, each in ipairs(tables) do
    local name, truth = each[1], keys[2 * index + 5]
    for _, entry in ipairs(each[3]) do
      redis.call('XADD', truth, entry[1], 'body', entry[2])
      if entry[1]:sub(-2) == '-0' then
        feed = feed + 1
        redis.call('XADD', keys[3], plain(feed) .. '-0', 'table', name, 'body', entry[2])
      end
    end
    redis.call('HSET', keys[2 * index + 6], 'version', each[4], 'chain', each[6])
    if each[5] ~= '' then
      redis.call('HSET', keys[2 * index + 6], 'status', each[5])
    end
    if each[7] then
      redis.call('ZADD', keys[4], plain(each[7]), name)
    end
    if each[8] == '' then
      redis.call('HDEL', keys[5], name)
    elseif each[8] then
      redis.call('HSET', keys[5], name, each[8])
    end
  end
  for _, each in ipairs(dead) do
    redis.call('XADD', keys[6], 'MAXLEN', '~', 10000, '*', 'entry', each[1], 'envelope', each[2], 'reason', each[3])
  end
  if #dead > 0 then
    redis.call('HSET', keys[2], 'dead', plain(redis.call('XLEN', keys[6])))
  end
  local kept, since, marks = trim_commands(
    keys[1], position, whole(cursor[5]) + handled, whole(cursor[6]) + handled, cursor[7] or '', keep
  )
  redis.call(
    'HSET', keys[2], 'pos', position, 'n', plain(feed), 'kept', plain(kept), 'since', plain(since), 'marks', marks
  )
  redis.call('HDEL', keys[2], 'try')
  if answers ~= '' then
    redis.call('PUBLISH', args[1], answers)
  end
  return feed
end

-- KEYS dead letters, cursor. ARGV their ids. Removes them, and returns how many there were.
local function drop_dead(keys, args)
  local dropped = redis.call('XDEL', keys[1], unpack(args))
  redis.call('HSET', keys[2], 'dead', plain(redis.call('XLEN', keys[1])))
  return dropped
end

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

local TYPES = { hash_put = 'hash', hash_drop = 'hash', append = 'stream', rank_put = 'zset', rank_drop = 'zset' }

-- Return what is wrong with the writes, or nil; nothing is written before all of them were looked at.
local function fault_of(keys, writes)
  local kinds, ends = {}, {}
  for _, write in ipairs(writes) do
    local kind, key = TYPES[write[1]], keys[write[2]]
    if not kinds[key] then
      kinds[key] = redis.call('TYPE', key).ok
    end
    if kinds[key] == 'none' then
      kinds[key] = kind
    end
    if kinds[key] ~= kind then
      return 'ORDER ' .. key .. ' is a ' .. kinds[key] .. ', not a ' .. kind
    end
    if write[1] == 'append' then
      if not ends[key] then
        local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
        ends[key] = last and last[1] or '0-0'
      end
      if not behind(write[3], ends[key]) then
        return 'ORDER ' .. write[3] .. ' is not behind ' .. ends[key] .. ' in ' .. key
      end
      ends[key] = write[3]
    end
  end
  return nil
end

local CHUNK = 1000 -- arguments of one call; Lua's own limit is 8,000

local function in_chunks(command, key, values)
  for first = 1, #values, CHUNK do
    redis.call(command, key, unpack(values, first, math.min(first + CHUNK - 1, #values)))
  end
end

local WRITE = {
  hash_put = function(key, fields)
    in_chunks('HSET', key, fields)
  end,
  hash_drop = function(key, fields)
    in_chunks('HDEL', key, fields)
  end,
  append = function(key, entry, body)
    redis.call('XADD', key, entry, 'body', body)
  end,
  rank_put = function(key, score, member)
    redis.call('ZADD', key, plain(score), member)
  end,
  rank_drop = function(key, member)
    redis.call('ZREM', key, member)
  end,
}

-- KEYS the hash of positions, then every key that is written.
-- ARGV field of the position or of a rebuild's mark, push channel, save: {after, position, writes, pushed or ''}
--   write: {verb, number of its key, ...}
local function save(keys, args)
  local batch = cmsgpack.unpack(args[3])
  local after, position, writes, pushed = batch[1], batch[2], batch[3], batch[4]
  local stored = redis.call('HGET', keys[1], args[1]) or 'nowhere'
  if stored ~= after then
    return redis.error_reply('GAP ' .. args[1] .. ' is at ' .. stored .. ', not ' .. after)
  end
  local stale = redis.call('HGET', keys[1], 'stale:' .. args[1])
  if stale and whole(position) < whole(redis.call('HGET', keys[1], ':trimmed')) then
    return redis.error_reply('STALE ' .. args[1])
  end
  local fault = fault_of(keys, writes)
  if fault then
    return redis.error_reply(fault)
  end
  for _, write in ipairs(writes) do
    WRITE[write[1]](keys[write[2]], write[3], write[4])
  end
  redis.call('HSET', keys[1], args[1], position)
  if stale then
    redis.call('HDEL', keys[1], 'stale:' .. args[1])
  end
  if pushed ~= '' then
    redis.call('PUBLISH', args[2], pushed)
  end
  return 1
end

-- KEYS feed, cursor, positions. ARGV how far behind is too far.
-- Returns the projections that are too far behind, now or before.
local function trim_feed(keys, args)
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

redis.register_function('fidchell_1_submit', submit)
redis.register_function('fidchell_1_announce', announce)
redis.register_function('fidchell_1_acquire', acquire)
redis.register_function('fidchell_1_renew', renew)
redis.register_function('fidchell_1_release', release)
redis.register_function('fidchell_1_attempt', attempt)
redis.register_function('fidchell_1_commit', commit)
redis.register_function('fidchell_1_drop_dead', drop_dead)
redis.register_function('fidchell_1_register', register)
redis.register_function('fidchell_1_tell', tell)
redis.register_function('fidchell_1_hold', hold)
redis.register_function('fidchell_1_begin', begin)
redis.register_function('fidchell_1_swap', swap)
redis.register_function('fidchell_1_ask', ask)
redis.register_function('fidchell_1_switch', switch)
redis.register_function('fidchell_1_save', save)
redis.register_function('fidchell_1_trim_feed', trim_feed)
