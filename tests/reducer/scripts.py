"""Scripts that between them have every command, every theory and every kind of term a pass looks at."""

from __future__ import annotations

from typing import Final

SCRIPTS: Final = {
    "arithmetic": """
        (set-logic QF_NIRA)
        (set-option :produce-models true)
        (set-info :status sat)
        (declare-fun counter () Int)
        (declare-fun y () Int)
        (declare-const r Real)
        (declare-fun f (Int Real) Int)
        (define-fun double ((x Int)) Int (+ x x))
        (define-const four Int 4)
        (assert (and (< (+ (+ counter y) 4711) (double y)) (not (= (f four r) (f 0 1.5)))))
        (assert (! (or (> y 10) (distinct counter y 3) (= (mod y 7) 2)) :named claim))
        (assert (=> claim ((_ divisible 12) (* counter y))))
        (check-sat)
        (get-model)
        (get-value (counter (+ y 1)))
        (exit)
    """,
    "reals": """
        (set-logic QF_LRA)
        (declare-fun x () Real)
        (assert (< (* 2 x) (/ 1 3)))
        (assert (= x 12.5))
        (check-sat)
    """,
    "incremental": """
        (declare-const p Bool)
        (push 1)
        (declare-const q Bool)
        (assert (or p q))
        (check-sat)
        (push 1)
        (assert (not q))
        (check-sat-assuming (p (not q)))
        (pop 1)
        (pop 1)
        (assert (xor p true p))
        (check-sat)
    """,
    "quantifiers": """
        (declare-sort U 0)
        (declare-sort Pair 2)
        (declare-fun a () U)
        (declare-fun b () U)
        (declare-fun g (U Int) U)
        (declare-fun ok (U) Bool)
        (assert (forall ((u U) (n Int) (unused Int)) (! (=> (ok u) (ok (g u n))) :pattern ((g u n)) :qid q1)))
        (assert (exists ((x Int)) (and (> x 0) (let ((y (+ x x)) (z 5)) (= y (* y 2))))))
        (assert (= (g a 1) (ite (ok b) a (g b (let ((k 3)) (+ 1 1))))))
        (assert (forall ((u U)) (= u a)))
        (check-sat)
    """,
    "bitvectors": """
        (set-logic QF_ABV)
        (declare-fun x () (_ BitVec 32))
        (declare-fun y () (_ BitVec 16))
        (declare-fun m () (Array (_ BitVec 32) (_ BitVec 8)))
        (assert (= ((_ extract 15 0) x) (bvadd y #x0101 (bvmul y #x0003))))
        (assert (bvult (concat y y) ((_ zero_extend 16) y)))
        (assert (= (select (store m x #xff) (_ bv7 32)) ((_ rotate_left 3) #b10000001)))
        (check-sat)
    """,
    "floats": """
        (declare-fun d () (_ FloatingPoint 8 24))
        (declare-fun mode () RoundingMode)
        (assert (fp.lt (fp.add mode d ((_ to_fp 8 24) RNE 1.5)) (fp.mul RNE d d)))
        (assert (not (fp.isNaN d)))
        (assert (fp.eq d (fp #b0 #b01111111 #b00000000000000000000000)))
        (check-sat)
    """,
    "strings": """
        (declare-fun s () String)
        (declare-fun t () String)
        (assert (str.in_re (str.++ s "hello" t) (re.++ (re.* (str.to_re "ab")) ((_ re.loop 2 5) re.allchar))))
        (assert (= (str.len (str.replace s "x" t)) (str.indexof s t 3)))
        (assert (str.contains s (str.substr t 0 (- (str.len t) 1))))
        (check-sat)
    """,
    "datatypes": """
        (declare-datatypes ((L 0) (Color 0))
          (((nil) (cons (head Int) (tail L)) (spare (spared Int))) ((red) (green))))
        (declare-datatype P (par (X) ((pair (first X) (second X)))))
        (declare-fun l () L)
        (declare-fun c () Color)
        (declare-fun p () (P Int))
        (assert ((_ is cons) l))
        (assert (= (tail l) (cons 3 (cons 4 nil))))
        (assert (or (= c red) (= (first p) (second (pair 1 2)))))
        (check-sat)
    """,
    "matches": """
        (declare-datatype L ((nil) (cons (head Int) (tail L))))
        (declare-fun l () L)
        (define-fun-rec len ((x L)) Int (match x ((nil 0) ((cons h t) (+ 1 (len t))))))
        (assert (> (len l) 2))
        (check-sat)
    """,
    "collections": """
        (declare-fun s () (Seq Int))
        (declare-fun e () (Set Int))
        (assert (= (seq.len (seq.++ s (seq.unit 3) s)) 7))
        (assert (set.member 3 (set.union e (set.singleton 4) e)))
        (check-sat)
    """,
    "shadows": """
        (declare-fun x () Int)
        (declare-fun y () Int)
        (assert (let ((x y) (y x)) (let ((x (+ x 1)) (z y)) (< x z (ite (exists ((y Int)) (= y x)) x 7)))))
        (assert (forall ((x Int)) (exists ((y Int)) (or (< x y) (let ((x 3)) (= x y))))))
        (check-sat)
    """,
}
