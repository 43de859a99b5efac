"""lua: tables that grow and rehash, strings, closures, coroutines, collector steps and pressure."""

PACKAGES = ["lua5.4"]

SCRIPT = r"""
local t = {}
for i = 1, 200000 do t[i] = { i, tostring(i) } end
for i = 1, 200000, 2 do t[i] = nil end
collectgarbage()
local n = 0
for _, v in pairs(t) do n = n + v[1] + #v[2] end
print("tables", n)
local words = {}
for i = 1, 100000 do
  local w = "w" .. (i * 7919 % 10007)
  words[w] = (words[w] or 0) + 1
end
local keys = {}
for k in pairs(words) do keys[#keys + 1] = k end
table.sort(keys)
print(#keys, keys[1], words[keys[1]], keys[#keys])
local parts = {}
for i = 1, 30000 do parts[#parts + 1] = string.rep(string.char(97 + i % 26), i % 40) end
local s = table.concat(parts, ",")
print(#s, select(2, s:gsub("aa+", "A")), s:sub(1000, 1040))
local function gen(k)
  return coroutine.wrap(function() for i = 1, k do coroutine.yield(i) end end)
end
local total = 0
for k = 1, 2000 do for i in gen(k % 17) do total = total + i end end
print("coroutines", total)
collectgarbage("generational")
local live = {}
for i = 1, 300000 do live[i % 5000 + 1] = { i, { i } } end
local sum = 0
for _, v in ipairs(live) do sum = sum + v[2][1] end
print("churn", sum)
local tree
local function make(d) return d == 0 and {} or { make(d - 1), make(d - 1) } end
local function size(x) return x[1] and 1 + size(x[1]) + size(x[2]) or 1 end
for d = 4, 14 do tree = make(d); io.write(size(tree), " ") end
print()
print(pcall(error, { code = 1 }))
os.exit(4, true)
"""


def case(lab):
    lab.write("script.lua", SCRIPT.replace("print(pcall(error, { code = 1 }))", ""))
    lab.run(["lua5.4", "script.lua"], status=4)
    lab.run(["lua5.4", "-e", "error('on purpose', 0)"], status=1)
