method RemoveDuplicates(a: seq<int>) returns (b: seq<int>)
  ensures forall x :: x in a <==> x in b
  ensures forall i, j :: 0 <= i < j < |b| ==> b[i] != b[j]
{
  b := [];
  var n := 0;
  while n < |a|
    invariant 0 <= n <= |a|
    invariant forall x :: x in a[..n] <==> x in b
    invariant forall i, j :: 0 <= i < j < |b| ==> b[i] != b[j]
  {
    assert a[..n + 1] == a[..n] + [a[n]];
    if a[n] !in b { b := b + [a[n]]; }
    n := n + 1;
  }
  assert a[..n] == a;
}
method Index(a: seq<int>) returns (m: map<int, nat>)
  ensures forall x :: x in m <==> x in a
  ensures forall x :: x in m ==> m[x] < |a| && a[m[x]] == x
{
  m := map[];
  var n := 0;
  while n < |a|
    invariant 0 <= n <= |a|
    invariant forall x :: x in m <==> x in a[..n]
    invariant forall x :: x in m ==> m[x] < n && a[m[x]] == x
  {
    assert a[..n + 1] == a[..n] + [a[n]];
    m := m[a[n] := n];
    n := n + 1;
  }
  assert a[..n] == a;
}
function Count(a: seq<int>, x: int): nat
{ if |a| == 0 then 0 else (if a[0] == x then 1 else 0) + Count(a[1..], x) }
lemma CountIsMultiset(a: seq<int>, x: int) ensures Count(a, x) == multiset(a)[x]
{
  if |a| > 0 { CountIsMultiset(a[1..], x); assert a == [a[0]] + a[1..]; }
}
lemma CountAppend(a: seq<int>, b: seq<int>, x: int) ensures Count(a + b, x) == Count(a, x) + Count(b, x)
{
  if |a| == 0 { assert a + b == b; }
  else { assert (a + b)[1..] == a[1..] + b; CountAppend(a[1..], b, x); }
}
function SumOf(a: seq<int>): int { if |a| == 0 then 0 else a[0] + SumOf(a[1..]) }
lemma SumAppend(a: seq<int>, b: seq<int>) ensures SumOf(a + b) == SumOf(a) + SumOf(b)
{
  if |a| == 0 { assert a + b == b; }
  else { assert (a + b)[1..] == a[1..] + b; SumAppend(a[1..], b); }
}
method SumArray(a: array<int>) returns (s: int)
  ensures s == SumOf(a[..])
{
  s := 0;
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length && s == SumOf(a[..n])
  {
    assert a[..n + 1] == a[..n] + [a[n]];
    SumAppend(a[..n], [a[n]]);
    s := s + a[n];
    n := n + 1;
  }
  assert a[..n] == a[..];
}
lemma Distributes(a: set<int>, b: set<int>, c: set<int>) ensures a * (b + c) == (a * b) + (a * c) { }
lemma DeMorgan(u: set<int>, a: set<int>, b: set<int>) ensures u - (a + b) == (u - a) * (u - b) { }
lemma SubsetIsSmaller(a: set<int>, b: set<int>) requires a <= b ensures |a| <= |b|
{
  if a != {} { var x :| x in a; SubsetIsSmaller(a - {x}, b - {x}); }
}
lemma UnionSize(a: set<int>, b: set<int>) requires a * b == {} ensures |a + b| == |a| + |b| { }
method Filter(a: seq<int>, least: int) returns (b: seq<int>)
  ensures forall x :: x in b <==> x in a && x >= least
{
  b := [];
  var n := 0;
  while n < |a|
    invariant 0 <= n <= |a|
    invariant forall x :: x in b <==> x in a[..n] && x >= least
  {
    assert a[..n + 1] == a[..n] + [a[n]];
    if a[n] >= least { b := b + [a[n]]; }
    n := n + 1;
  }
  assert a[..n] == a;
}
predicate Prefix(a: seq<int>, b: seq<int>) { |a| <= |b| && a == b[..|a|] }
lemma PrefixTransitive(a: seq<int>, b: seq<int>, c: seq<int>)
  requires Prefix(a, b) && Prefix(b, c)
  ensures Prefix(a, c) { }
lemma SplitJoin(a: seq<int>, k: nat) requires k <= |a| ensures a[..k] + a[k..] == a { }
method Zero(m: array2<int>)
  modifies m
  ensures forall i, j :: 0 <= i < m.Length0 && 0 <= j < m.Length1 ==> m[i, j] == 0
{
  var i := 0;
  while i < m.Length0
    invariant 0 <= i <= m.Length0
    invariant forall k, l :: 0 <= k < i && 0 <= l < m.Length1 ==> m[k, l] == 0
  {
    var j := 0;
    while j < m.Length1
      invariant 0 <= j <= m.Length1
      invariant forall k, l :: 0 <= k < i && 0 <= l < m.Length1 ==> m[k, l] == 0
      invariant forall l :: 0 <= l < j ==> m[i, l] == 0
    { m[i, j] := 0; j := j + 1; }
    i := i + 1;
  }
}
method FirstNegative(a: array<int>) returns (place: int)
  ensures 0 <= place <= a.Length
  ensures place < a.Length ==> a[place] < 0
  ensures forall i :: 0 <= i < place ==> a[i] >= 0
{
  place := 0;
  while place < a.Length && a[place] >= 0
    invariant 0 <= place <= a.Length
    invariant forall i :: 0 <= i < place ==> a[i] >= 0
  { place := place + 1; }
}
lemma WrongSize(a: set<int>, b: set<int>) ensures |a + b| == |a| + |b| { }
