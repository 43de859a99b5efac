"""imagemagick: large pixel buffers, OpenMP threads, coders for PNG, JPEG and GIF."""

PACKAGES = ["imagemagick"]


def case(lab):
    def convert(*words, **options):
        limits = ["-limit", "thread", "2", "-seed", "7"]
        lab.run(["convert", *limits, *words], label=" ".join(words)[:50], **options)
        lab.observe(words[-1], lab.read(words[-1].partition(":")[2] or words[-1]))

    plain = [
        "-define",
        "png:exclude-chunks=date,tIME",
        "+set",
        "date:create",
        "+set",
        "date:modify",
    ]
    convert("-size", "700x500", "plasma:red-blue", "-depth", "8", "ppm:one.ppm")
    convert("one.ppm", "-resize", "300%", "-rotate", "13", "-blur", "0x4", "ppm:two.ppm")
    convert("one.ppm", "-colorspace", "Lab", "-normalize", "-sharpen", "0x2", "ppm:three.ppm")
    convert("one.ppm", *plain, "one.png")
    convert("one.ppm", "-quality", "80", "one.jpg")
    convert("one.jpg", "-crop", "100x100", "+repage", "-append", "ppm:four.ppm")
    convert("-delay", "5", "one.ppm", "(", "+clone", "-negate", ")", "-resize", "20%", *plain[2:],
            "one.gif")  # fmt: skip
    lab.run(["identify", "one.png", "one.jpg", "one.gif"], clean=without_times)
    lab.run(["convert", "missing.png", "out.png"], status=1, stderr=False)


def without_times(text):
    """identify prints how long it took as the last two words."""
    return b"\n".join(b" ".join(line.split(b" ")[:7]) for line in text.split(b"\n"))
