-- Commands: sent, taken on by a worker, committed.

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
  local wrong = mistyped(keys, { 'stream', 'hash', 'stream', 'zset', 'hash', 'stream' })
  if wrong then
    return damaged('-', wrong)
  end
  local feed, commits = whole(cursor[4]), 0
  for index, each in ipairs(tables) do
    wrong = mistyped(keys, { 'stream', 'hash' }, 2 * index + 5)
    if wrong then
      return damaged(each[1], wrong)
    end
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
      commits = commits + (last:sub(-2) == '-0' and 1 or 0)
    end
    local first, stored = each[3][1], last_id(keys[2 * index + 5])
    if first and not behind(first[1], stored) then
      return damaged(each[1], first[1] .. ' is not behind ' .. stored .. ' in ' .. keys[2 * index + 5])
    end
  end
  if commits > 0 and not behind(plain(feed + 1) .. '-0', last_id(keys[3])) then
    return damaged('-', keys[3] .. ' has entries behind number ' .. plain(feed) .. ', the last of ' .. keys[2])
  end

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

-- KEYS dead letters, cursor. ARGV their ids. Removes them, and returns how many there were; on a full server, too.
local function drop_dead(keys, args)
  local wrong = mistyped(keys, { 'stream', 'hash' })
  if wrong then
    return damaged('-', wrong)
  end
  local dropped = redis.call('XDEL', keys[1], unpack(args))
  if redis.call('HEXISTS', keys[2], 'pos') == 1 then
    redis.call('HSET', keys[2], 'dead', plain(redis.call('XLEN', keys[1])))
  end
  return dropped
end

redis.register_function('fidchell_1_submit', submit)
redis.register_function('fidchell_1_announce', announce)
redis.register_function('fidchell_1_acquire', acquire)
redis.register_function('fidchell_1_renew', renew)
redis.register_function('fidchell_1_release', release)
redis.register_function('fidchell_1_attempt', attempt)
redis.register_function('fidchell_1_commit', commit)
redis.register_function{ function_name = 'fidchell_1_drop_dead', callback = drop_dead, flags = { 'allow-oom' } }
