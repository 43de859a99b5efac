"""ruby: collector and compaction, strings, hashes, threads, fibers, fork, ractors."""

PACKAGES = ["ruby"]

SCRIPT = r"""
srand(3)
h = Hash.new { |t, k| t[k] = [] }
150_000.times { |i| h["k#{rand(20_000)}"] << i }
puts h.size, h.sort.first(5).inspect
text = (1..50_000).map { |i| "n#{i}:#{i * i}" }.join(" ")
puts text.length, text.gsub(/n(\d+):(\d+)/) { "#{$2}<#{$1}>" }.sum
300_000.times { |i| [i.to_s, { i => i }] }
GC.start
GC.compact if GC.respond_to?(:compact)
puts 3**5000 % 10**40
threads = (1..8).map do |t|
  Thread.new { (1..3000).map { |i| "x" * (i % 50 * t) }.sum(&:length) }
end
puts threads.map(&:value).inspect
fiber = Fiber.new { 2000.times { |i| Fiber.yield "f#{i}" } }
puts 2000.times.map { fiber.resume }.last
fibers = (1..300).map { |n| Fiber.new { Fiber.yield n; n * 2 } }
puts fibers.sum { |f| f.resume } + fibers.sum { |f| f.resume }
sums = 4.times.map do |n|
  r, w = IO.pipe
  pid = fork { r.close; w.write h.values.sum { |v| v.length * n }; w.close; exit! n }
  w.close
  out = r.read
  [out, Process.wait2(pid)[1].exitstatus]
end
p sums
ractors = 3.times.map do |n|
  Ractor.new(n) { |k| (1..20_000).map { |i| "r#{i * k}" }.sum(&:size) }
end
p ractors.map(&:take)
puts `echo from a shell`, $?.exitstatus
at_exit { warn "leaving" }
exit 5
"""


def case(lab):
    lab.write("script.rb", SCRIPT)
    lab.run(["ruby", "-W0", "script.rb"], status=5)
    lab.run(["ruby", "-e", "raise 'on purpose'"], status=1)
