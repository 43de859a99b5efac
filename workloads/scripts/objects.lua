-- Tables, strings, closures and sorting. Prints its answer and fails when it is not the known one.
-- Argument: number of objects.
local objects = tonumber(arg[1]) or 300000
local known = {[300000] = "225000 347768723 14190619 2250 899307497", [3000] = "2250 3417547 123292 22 249505203"}

local seed = 42
local function draw(bound)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return (seed // 65536) % bound
end

local Account = {}
Account.__index = Account
function Account.new(id)
  local balance = draw(1000)
  return setmetatable({
    id = id,
    name = "account-" .. id .. "-" .. string.char(97 + draw(26)),
    history = {},
    deposit = function(amount) balance = balance + amount return balance end,
  }, Account)
end
function Account:record(text) self.history[#self.history + 1] = text end

local by_name, live = {}, {}
local deposited = 0
for id = 1, objects do
  local account = Account.new(id)
  for turn = 1, 1 + draw(3) do
    deposited = deposited + account.deposit(draw(100))
    account:record(account.name .. ":" .. turn .. "=" .. deposited % 977)
  end
  by_name[account.name] = account
  live[id % 50000] = account
  if id % 4 == 0 then by_name[account.name] = nil end
end

local names = {}
for name in pairs(by_name) do names[#names + 1] = name end
table.sort(names)
local parts, length = {}, 0
for i, name in ipairs(names) do
  local text = table.concat(by_name[name].history, ";")
  length = length + #text:gsub("%d", "%0%0")
  if i % 100 == 0 then parts[#parts + 1] = name:upper():rep(2, "/") end
end
local checksum = 0
for _, part in ipairs(parts) do
  for i = 1, #part, 3 do checksum = (checksum * 31 + part:byte(i)) % 1000000007 end
end

local answer = string.format("%d %d %d %d %d", #names, deposited, length, #parts, checksum)
print(answer)
os.exit(known[objects] == nil or known[objects] == answer)
