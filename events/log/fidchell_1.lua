#!lua name=fidchell_1

-- Everything that must happen at once or not at all.
--
-- Each function declares all its keys, makes all its checks before its first write, and answers a failed check with
-- an error whose first word is its name: LOST, FENCED, GAP, CONFLICT, ORDER, DAMAGED, STALE, BACKLOG, TOOLARGE.
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

-- What is wrong with the types of keys, or nil: a call that fails in the midst of its writes takes none of them back.
local function mistyped(keys, kinds, first)
  for index, kind in ipairs(kinds) do
    local key = keys[(first or 1) + index - 1]
    local found = redis.call('TYPE', key).ok
    if found ~= kind and found ~= 'none' then
      return key .. ' is a ' .. found .. ', not a ' .. kind
    end
  end
  return nil
end

-- The id that a new entry of a stream must stand behind; it may be of an entry that is there no longer.
local function last_id(key)
  if redis.call('EXISTS', key) == 1 then
    local about = redis.call('XINFO', 'STREAM', key)
    for index = 1, #about, 2 do
      if about[index] == 'last-generated-id' then
        return about[index + 1]
      end
    end
  end
  return '0-0'
end

-- DAMAGED concerns one table, or '-' for all of a partition.
local function damaged(table, detail)
  return redis.error_reply('DAMAGED ' .. table .. ' ' .. detail)
end
