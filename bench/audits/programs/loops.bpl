procedure Sum(n: int) returns (s: int)
  requires n >= 0;
  ensures 2 * s == n * (n + 1);
{
  var i: int;
  i := 0; s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant 2 * s == i * (i + 1);
  { i := i + 1; s := s + i; }
}
procedure Fill(a: [int]int, n: int, v: int) returns (b: [int]int)
  ensures (forall i: int :: 0 <= i && i < n ==> b[i] == v);
  ensures (forall i: int :: i < 0 || (n <= i && 0 <= i) ==> b[i] == a[i]);
{
  var k: int;
  b := a; k := 0;
  while (k < n)
    invariant 0 <= k && (k <= n || n < 0);
    invariant (forall i: int :: 0 <= i && i < k ==> b[i] == v);
    invariant (forall i: int :: i < 0 || k <= i ==> b[i] == a[i]);
  { b[k] := v; k := k + 1; }
}
procedure Find(a: [int]int, n: int, x: int) returns (p: int)
  requires n >= 0;
  ensures p == n || (0 <= p && p < n && a[p] == x);
  ensures (forall i: int :: 0 <= i && i < p ==> a[i] != x);
{
  p := 0;
  while (p < n && a[p] != x)
    invariant 0 <= p && p <= n;
    invariant (forall i: int :: 0 <= i && i < p ==> a[i] != x);
  { p := p + 1; }
}
procedure Minimum(a: [int]int, n: int) returns (m: int)
  requires n > 0;
  ensures (forall i: int :: 0 <= i && i < n ==> m <= a[i]);
  ensures (exists i: int :: 0 <= i && i < n && m == a[i]);
{
  var k: int;
  m := a[0]; k := 1;
  while (k < n)
    invariant 1 <= k && k <= n;
    invariant (forall i: int :: 0 <= i && i < k ==> m <= a[i]);
    invariant (exists i: int :: 0 <= i && i < k && m == a[i]);
  { if (a[k] < m) { m := a[k]; } k := k + 1; }
}
procedure Multiply(a: int, b: int) returns (p: int)
  requires b >= 0;
  ensures p == a * b;
{
  var i: int;
  i := 0; p := 0;
  while (i < b)
    invariant 0 <= i && i <= b && p == a * i;
  { p := p + a; i := i + 1; }
}
procedure Cube(n: int) returns (c: int)
  requires n >= 0;
  ensures c == n * n * n;
{
  var i, k, m: int;
  i := 0; c := 0; k := 1; m := 6;
  while (i < n)
    invariant 0 <= i && i <= n && c == i * i * i && k == 3 * i * i + 3 * i + 1 && m == 6 * i + 6;
  { c := c + k; k := k + m; m := m + 6; i := i + 1; }
}
procedure Swap(a: [int]int, i: int, j: int) returns (b: [int]int)
  ensures b[i] == a[j] && b[j] == a[i];
  ensures (forall k: int :: k != i && k != j ==> b[k] == a[k]);
{ b := a; b[i] := a[j]; b[j] := a[i]; }
procedure Mask(x: bv32) returns (y: bv32)
  ensures And(y, 15bv32) == And(x, 15bv32);
{ y := And(x, 255bv32); }
function {:bvbuiltin "bvand"} And(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvadd"} Add(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvult"} Less(a: bv32, b: bv32): bool;
procedure Overflow(x: bv32, y: bv32) returns (z: bv32)
  requires Less(x, 1000bv32) && Less(y, 1000bv32);
  ensures Less(z, 2000bv32);
{ z := Add(x, y); }
procedure WrongOverflow(x: bv32, y: bv32) returns (z: bv32)
  ensures !Less(z, x);
{ z := Add(x, y); }
