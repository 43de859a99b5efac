"""What the classic programs' answers are checked against: the same questions, answered plainly."""

import itertools
import math


def is_prime(n):
    """Miller and Rabin's test: right for all n below 3.3e24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    twos = (n - 1 & 1 - n).bit_length() - 1
    for base in bases:
        x = pow(base, n - 1 >> twos, n)
        if x in (1, n - 1):
            continue
        if all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


def stack_distances(pages):
    """How often each stack distance occurs; 0 for first uses."""
    stack, counts = [], {}
    for page in pages:
        distance = stack.index(page) + 1 if page in stack else 0
        if distance:
            del stack[distance - 1]
        stack.insert(0, page)
        counts[distance] = counts.get(distance, 0) + 1
    return counts


class Pla:
    """A function as a table: for each input and output what it must be, may be, must not be."""

    def __init__(self, text):
        self.kind, self.rows = "fd", []
        for line in text.splitlines():
            words = line.split("#")[0].replace("|", " ").split()
            if not words:
                continue
            if words[0] == ".i":
                self.inputs = int(words[1])
            elif words[0] == ".o":
                self.outputs = int(words[1])
            elif words[0] == ".type":
                self.kind = words[1]
            elif words[0] == ".e":
                break
            elif not words[0].startswith("."):
                columns = "".join(words)
                self.rows.append((columns[: self.inputs], columns[self.inputs :]))

    def points(self, meaning, rows=None):
        """All (input, output) pairs that the rows give one of the characters in `meaning`."""
        result = set()
        for inputs, outputs in self.rows if rows is None else rows:
            choices = [(0, 1) if c in "-2" else (int(c),) for c in inputs]
            on = [j for j, c in enumerate(outputs) if c in meaning]
            result |= set(itertools.product(itertools.product(*choices), on))
        return result

    def dont_care(self):
        if self.kind == "fd":
            return self.points("-2")
        if self.kind == "fr":
            space = itertools.product(itertools.product((0, 1), repeat=self.inputs),
                                      range(self.outputs))
            return set(space) - self.points("1") - self.points("0")
        return set()


# a, alpha, d, mass, motor inertia, centre of mass, inertia of each link.
LINKS = [
    (0, math.pi / 2, 0, 0, 200e-6 * 62.6111**2, (0, 0, 0), (0, 0.35, 0)),
    (0.4318, 0, 0, 17.4, 200e-6 * 107.815**2, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (0.0203, -math.pi / 2, 0.15005, 4.8, 200e-6 * 53.7063**2, (-0.0203, -0.0141, 0.07),
     (0.066, 0.086, 0.0125)),
    (0, math.pi / 2, 0.4318, 0.82, 33e-6 * 76.0364**2, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0, -math.pi / 2, 0, 0.34, 33e-6 * 71.923**2, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0, 0, 0, 0.09, 33e-6 * 76.686**2, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
]


def first_point(seed=1):
    """The angles at which the program lets the arm fall: xorshift64*, scaled."""
    mask = 2**64 - 1
    state = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & mask
    angles = []
    for middle, reach in zip((0, 0.8, -2.4, 0.3, 1.2, 0), (1.2, 0.5, 0.4, 0.8, 0.4, 1.5)):
        state ^= state >> 12
        state ^= state << 25 & mask
        state ^= state >> 27
        draw = ((state * 0x2545F4914F6CDD1D & mask) >> 32) * 20001 >> 32
        angles.append(middle + reach * (draw / 10000 - 1))
    return angles


def link_frames(q):
    """Poses of the base and of each link, as homogeneous matrices."""
    frame = [[float(i == j) for j in range(4)] for i in range(4)]
    result = [frame]
    for angle, (a, alpha, d, *_) in zip(q, LINKS):
        c, s, ca, sa = math.cos(angle), math.sin(angle), math.cos(alpha), math.sin(alpha)
        step = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d],
                [0, 0, 0, 1]]
        frame = [[sum(frame[i][k] * step[k][j] for k in range(4)) for j in range(4)]
                 for i in range(4)]
        result.append(frame)
    return result


def lagrange(q):
    """Mass matrix and torque of gravity, from each link's velocity as the joints turn."""
    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    frames = link_frames(q)
    mass = [[0.0] * 6 for _ in q]
    gravity = [0.0] * 6
    for link, (_, _, _, m, motor, centre, inertia) in enumerate(LINKS):
        frame = frames[link + 1]
        at = [frame[i][3] + sum(frame[i][k] * centre[k] for k in range(3)) for i in range(3)]
        axes = [[frames[j][i][2] for i in range(3)] for j in range(link + 1)]
        moves = [cross(axis, [at[i] - frames[j][i][3] for i in range(3)])
                 for j, axis in enumerate(axes)]
        turns = [[sum(frame[i][k] * axis[i] for i in range(3)) for k in range(3)] for axis in axes]
        for i in range(link + 1):
            gravity[i] += m * 9.81 * moves[i][2]
            for j in range(link + 1):
                mass[i][j] += m * sum(a * b for a, b in zip(moves[i], moves[j]))
                mass[i][j] += sum(a * w * b for a, w, b in zip(turns[i], inertia, turns[j]))
        mass[link][link] += motor
    return mass, gravity


def solve(matrix, right):
    """Gauss and Jordan's elimination; of a positive definite matrix, so without pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for k, pivot in enumerate(rows):
        rows[k] = pivot = [x / pivot[k] for x in pivot]
        for i, row in enumerate(rows):
            if i != k:
                rows[i] = [x - row[k] * y for x, y in zip(row, pivot)]
    return [row[-1] for row in rows]
