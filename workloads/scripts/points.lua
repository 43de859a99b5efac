-- Makes two million points, one by one, and adds them up: a program that asks for much memory.
local points = {}
for i = 1, 2000000 do
  points[i] = { x = i, y = -i }
end
local sum = 0
for _, point in ipairs(points) do
  sum = sum + point.x + point.y
end
assert(sum == 0)
print(#points .. " points")
