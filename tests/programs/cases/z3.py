"""z3: bit vectors, linear and nonlinear arithmetic, arrays, quantifiers, optimisation, cores."""

PACKAGES = ["z3"]

BITS = """
(set-option :smt.random_seed 1)
(declare-const a (_ BitVec 24)) (declare-const b (_ BitVec 24)) (declare-const c (_ BitVec 24))
(push)
(assert (= (bvmul a b) #x3c1f0d)) (assert (bvugt a #x000010)) (assert (bvugt b #x000010))
(assert (= (bvxor a b) (bvadd c #x000001))) (assert (bvult c #x100000))
(check-sat) (get-model)
(pop)
(assert (not (= (bvmul (bvadd a b) (bvadd a b))
  (bvadd (bvadd (bvmul a a) (bvmul #x000002 (bvmul a b))) (bvmul b b)))))
(check-sat)
"""

CORE = """
(set-option :produce-unsat-cores true)
(declare-fun f (Int) Int) (declare-const x Int) (declare-const y Int)
(declare-const m (Array Int Int))
(assert (! (forall ((i Int)) (> (f (+ i 1)) (f i))) :named grows))
(assert (! (= (f 3) 10) :named at3))
(assert (! (< (f 20) 20) :named small))
(assert (! (= (select (store m x 5) y) 6) :named arrays))
(check-sat) (get-unsat-core)
"""

SCHEDULE = "\n".join(
    [f"(declare-const t{i} Int) (assert (and (>= t{i} 0) (<= t{i} 900)))" for i in range(60)]
    + [
        f"(assert (or (>= t{i} (+ t{j} {5 + i % 7})) (>= t{j} (+ t{i} {4 + j % 5}))))"
        for i in range(60)
        for j in range(i)
        if (i * j) % 4 != 3
    ]
    + ["(check-sat)", "(get-value (t0 t5 t21))"]
)

OPTIMUM = "\n".join(
    [f"(declare-const x{i} Int) (assert (and (>= x{i} 0) (<= x{i} 1)))" for i in range(20)]
    + ["(assert (<= (+ " + " ".join(f"(* {7 + i * 13 % 29} x{i})" for i in range(20)) + ") 120))"]
    + ["(maximize (+ " + " ".join(f"(* {5 + i * 17 % 31} x{i})" for i in range(20)) + "))"]
    + ["(check-sat)", "(get-objectives)"]
)


def case(lab):
    scripts = {"bits": BITS, "core": CORE, "schedule": SCHEDULE, "optimum": OPTIMUM}
    for name, text in scripts.items():
        lab.write(f"{name}.smt2", text)
        lab.run(["z3", "-T:60", f"{name}.smt2"])
    lab.run(["z3", "-in"], stdin="(assert undeclared)", status=1, label="error")
