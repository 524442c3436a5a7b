function Power(b: int, n: nat): int { if n == 0 then 1 else b * Power(b, n - 1) }
function Factorial(n: nat): nat { if n == 0 then 1 else n * Factorial(n - 1) }
function Fibonacci(n: nat): nat { if n < 2 then n else Fibonacci(n - 1) + Fibonacci(n - 2) }
function Sum(n: nat): nat { if n == 0 then 0 else n + Sum(n - 1) }
function Squares(n: nat): nat { if n == 0 then 0 else n * n + Squares(n - 1) }
function Gcd(a: nat, b: nat): nat
  requires a > 0 || b > 0
  decreases b
{ if b == 0 then a else Gcd(b, a % b) }

lemma PowerOfSum(b: int, m: nat, n: nat)
  ensures Power(b, m + n) == Power(b, m) * Power(b, n)
{
  if m == 0 { } else {
    PowerOfSum(b, m - 1, n);
    calc {
      Power(b, m + n);
      b * Power(b, m + n - 1);
      { assert m + n - 1 == (m - 1) + n; }
      b * (Power(b, m - 1) * Power(b, n));
      (b * Power(b, m - 1)) * Power(b, n);
      Power(b, m) * Power(b, n);
    }
  }
}
lemma PowerPositive(b: int, n: nat)
  requires b > 0
  ensures Power(b, n) > 0
{ if n > 0 { PowerPositive(b, n - 1); } }
lemma PowerOfOne(n: nat) ensures Power(1, n) == 1 { }
lemma SumIs(n: nat) ensures 2 * Sum(n) == n * (n + 1) { }
lemma SquaresIs(n: nat) ensures 6 * Squares(n) == n * (n + 1) * (2 * n + 1)
{
  if n > 0 { SquaresIs(n - 1); }
}
lemma FactorialGrows(n: nat)
  ensures Factorial(n) >= 1
  ensures n >= 1 ==> Factorial(n) >= n
{ if n > 0 { FactorialGrows(n - 1); } }
lemma FibonacciGrows(n: nat) requires n >= 5 ensures Fibonacci(n) >= n
{
  if n == 5 { assert Fibonacci(5) == Fibonacci(4) + Fibonacci(3); assert Fibonacci(4) == 3; }
  else if n == 6 { assert Fibonacci(6) == Fibonacci(5) + Fibonacci(4); FibonacciGrows(5); assert Fibonacci(4) == 3; }
  else { FibonacciGrows(n - 1); FibonacciGrows(n - 2); }
}
lemma Cassini(n: nat)
  requires n >= 1
  ensures Fibonacci(n + 1) * Fibonacci(n - 1) - Fibonacci(n) * Fibonacci(n) == Power(-1, n)
{
  if n == 1 { assert Power(-1, 1) == -1 * Power(-1, 0); }
  else {
    Cassini(n - 1);
    var a, b := Fibonacci(n - 1), Fibonacci(n - 2);
    assert Fibonacci(n) == a + b;
    assert Fibonacci(n + 1) == Fibonacci(n) + a;
    assert Power(-1, n) == -1 * Power(-1, n - 1);
    assert (a + b + a) * a - (a + b) * (a + b) == -((a + b) * b - a * a);
  }
}
method ComputePower(b: int, n: nat) returns (p: int)
  ensures p == Power(b, n)
{
  p := 1;
  var i := 0;
  while i < n
    invariant 0 <= i <= n && p == Power(b, i)
  { p := p * b; i := i + 1; }
}
method ComputeFibonacci(n: nat) returns (f: nat)
  ensures f == Fibonacci(n)
{
  if n == 0 { return 0; }
  var i, a := 1, 0;
  f := 1;
  while i < n
    invariant 1 <= i <= n && f == Fibonacci(i) && a == Fibonacci(i - 1)
  { a, f := f, a + f; i := i + 1; }
}
method SquareRoot(n: nat) returns (r: nat)
  ensures r * r <= n < (r + 1) * (r + 1)
{
  r := 0;
  while (r + 1) * (r + 1) <= n
    invariant r * r <= n
    decreases n - r
  { r := r + 1; }
}
method Divide(a: nat, b: nat) returns (q: nat, r: nat)
  requires b > 0
  ensures a == q * b + r && r < b
{
  q, r := 0, a;
  while r >= b
    invariant a == q * b + r
  { q, r := q + 1, r - b; }
}
method ComputeGcd(a: nat, b: nat) returns (g: nat)
  requires a > 0 || b > 0
  ensures g == Gcd(a, b)
{
  var x, y := a, b;
  while y != 0
    invariant x > 0 || y > 0
    invariant Gcd(x, y) == Gcd(a, b)
    decreases y
  { x, y := y, x % y; }
  g := x;
}
lemma DivisionIsUnique(a: int, b: int, q: int, r: int)
  requires b > 0 && 0 <= r < b && a == q * b + r
  ensures q == a / b && r == a % b
{ }
lemma Monotone(a: nat, b: nat, c: nat) requires a <= b ensures a * c <= b * c { }
lemma SquareOfSum(a: int, b: int) ensures (a + b) * (a + b) == a * a + 2 * a * b + b * b { }
lemma EvenOrOdd(n: int) ensures n % 2 == 0 || n % 2 == 1 ensures (n * n) % 2 == n % 2
{
  if n % 2 == 0 { var k := n / 2; assert n == 2 * k; assert n * n == 2 * (k * n); }
  else { var k := n / 2; assert n == 2 * k + 1; assert n * n == 2 * (k * n + k) + 1; }
}
lemma WrongBound(n: nat) ensures Factorial(n) <= 1000 { }
