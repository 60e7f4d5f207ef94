#!lua name=fidchell_1

-- Everything that must happen at once or not at all.
--
-- Each function declares all its keys, makes all its checks before its first write, and answers a failed check with
-- an error whose first word is its name: LOST, FENCED, GAP, CONFLICT, ORDER, STALE, BACKLOG, TOOLARGE.
-- The other files of this name follow behind this one, as one library.
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
