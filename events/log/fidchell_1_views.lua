-- Views: written together with how far they are.

local TYPES = {
  hash_put = 'hash',
  hash_drop = 'hash',
  append = 'stream',
  rank_put = 'zset',
  rank_drop = 'zset',
  rank_cut = 'zset',
}

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
  rank_cut = function(key, below)
    local highest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]
    if highest then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', plain(whole(highest) - below))
    end
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

redis.register_function('fidchell_1_save', save)
