predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
predicate SortedPart(a: array<int>, low: int, high: int)
  requires 0 <= low <= high <= a.Length
  reads a
{ forall i, j :: low <= i < j < high ==> a[i] <= a[j] }

method InsertionSort(a: array<int>)
  modifies a
  ensures SortedPart(a, 0, a.Length)
  ensures multiset(a[..]) == old(multiset(a[..]))
{
  var n := 1;
  if a.Length == 0 { return; }
  while n < a.Length
    invariant 1 <= n <= a.Length
    invariant SortedPart(a, 0, n)
    invariant multiset(a[..]) == old(multiset(a[..]))
  {
    var k := n;
    while k > 0 && a[k - 1] > a[k]
      invariant 0 <= k <= n
      invariant forall i, j :: 0 <= i < j <= n && j != k ==> a[i] <= a[j]
      invariant multiset(a[..]) == old(multiset(a[..]))
    {
      a[k - 1], a[k] := a[k], a[k - 1];
      k := k - 1;
    }
    n := n + 1;
  }
}

method SelectionSort(a: array<int>)
  modifies a
  ensures SortedPart(a, 0, a.Length)
  ensures multiset(a[..]) == old(multiset(a[..]))
{
  var n := 0;
  while n < a.Length
    invariant 0 <= n <= a.Length
    invariant SortedPart(a, 0, n)
    invariant forall i, j :: 0 <= i < n <= j < a.Length ==> a[i] <= a[j]
    invariant multiset(a[..]) == old(multiset(a[..]))
  {
    var least, k := n, n + 1;
    while k < a.Length
      invariant n <= least < k <= a.Length
      invariant forall i :: n <= i < k ==> a[least] <= a[i]
    {
      if a[k] < a[least] { least := k; }
      k := k + 1;
    }
    a[n], a[least] := a[least], a[n];
    n := n + 1;
  }
}

method BubbleSort(a: array<int>)
  modifies a
  ensures SortedPart(a, 0, a.Length)
{
  var i := a.Length;
  while i > 0
    invariant 0 <= i <= a.Length
    invariant SortedPart(a, i, a.Length)
    invariant forall k, l :: 0 <= k < i <= l < a.Length ==> a[k] <= a[l]
  {
    var j := 0;
    while j < i - 1
      invariant 0 <= j <= i - 1
      invariant SortedPart(a, i, a.Length)
      invariant forall k, l :: 0 <= k < i <= l < a.Length ==> a[k] <= a[l]
      invariant forall k :: 0 <= k < j ==> a[k] <= a[j]
    {
      if a[j] > a[j + 1] { a[j], a[j + 1] := a[j + 1], a[j]; }
      j := j + 1;
    }
    i := i - 1;
  }
}

method BinarySearch(a: array<int>, key: int) returns (place: int)
  requires SortedPart(a, 0, a.Length)
  ensures 0 <= place ==> place < a.Length && a[place] == key
  ensures place < 0 ==> forall k :: 0 <= k < a.Length ==> a[k] != key
{
  var low, high := 0, a.Length;
  while low < high
    invariant 0 <= low <= high <= a.Length
    invariant forall k :: 0 <= k < a.Length && !(low <= k < high) ==> a[k] != key
  {
    var middle := (low + high) / 2;
    if a[middle] < key { low := middle + 1; }
    else if key < a[middle] { high := middle; }
    else { return middle; }
  }
  return -1;
}

method Merge(a: seq<int>, b: seq<int>) returns (c: seq<int>)
  requires Sorted(a) && Sorted(b)
  ensures Sorted(c)
  ensures multiset(c) == multiset(a) + multiset(b)
{
  var i, j := 0, 0;
  c := [];
  while i < |a| || j < |b|
    invariant 0 <= i <= |a| && 0 <= j <= |b|
    invariant Sorted(c)
    invariant forall k, l :: 0 <= k < |c| && i <= l < |a| ==> c[k] <= a[l]
    invariant forall k, l :: 0 <= k < |c| && j <= l < |b| ==> c[k] <= b[l]
    invariant multiset(c) == multiset(a[..i]) + multiset(b[..j])
    decreases |a| - i + |b| - j
  {
    if j == |b| || (i < |a| && a[i] <= b[j]) {
      assert a[..i + 1] == a[..i] + [a[i]];
      c := c + [a[i]];
      i := i + 1;
    } else {
      assert b[..j + 1] == b[..j] + [b[j]];
      c := c + [b[j]];
      j := j + 1;
    }
  }
  assert a[..i] == a && b[..j] == b;
}

method Partition(a: array<int>, pivot: int) returns (k: int)
  modifies a
  ensures 0 <= k <= a.Length
  ensures forall i :: 0 <= i < k ==> a[i] < pivot
  ensures forall i :: k <= i < a.Length ==> a[i] >= pivot
  ensures multiset(a[..]) == old(multiset(a[..]))
{
  k := 0;
  var n := 0;
  while n < a.Length
    invariant 0 <= k <= n <= a.Length
    invariant forall i :: 0 <= i < k ==> a[i] < pivot
    invariant forall i :: k <= i < n ==> a[i] >= pivot
    invariant multiset(a[..]) == old(multiset(a[..]))
  {
    if a[n] < pivot { a[k], a[n] := a[n], a[k]; k := k + 1; }
    n := n + 1;
  }
}

method Reverse(a: array<int>)
  modifies a
  ensures forall i :: 0 <= i < a.Length ==> a[i] == old(a[a.Length - 1 - i])
{
  var i := 0;
  while i < a.Length / 2
    invariant 0 <= i <= a.Length / 2
    invariant forall k :: 0 <= k < i || a.Length - i <= k < a.Length ==> a[k] == old(a[a.Length - 1 - k])
    invariant forall k :: i <= k < a.Length - i ==> a[k] == old(a[k])
  {
    a[i], a[a.Length - 1 - i] := a[a.Length - 1 - i], a[i];
    i := i + 1;
  }
}

method Maximum(a: array<int>) returns (m: int)
  requires a.Length > 0
  ensures forall i :: 0 <= i < a.Length ==> a[i] <= m
  ensures exists i :: 0 <= i < a.Length && a[i] == m
{
  m := a[0];
  var n := 1;
  while n < a.Length
    invariant 1 <= n <= a.Length
    invariant forall i :: 0 <= i < n ==> a[i] <= m
    invariant exists i :: 0 <= i < n && a[i] == m
  {
    if a[n] > m { m := a[n]; }
    n := n + 1;
  }
}

method Rotate(a: seq<int>, k: nat) returns (b: seq<int>)
  requires k <= |a|
  ensures |b| == |a|
  ensures forall i :: 0 <= i < |a| ==> b[i] == a[(i + k) % |a|]
{
  b := a[k..] + a[..k];
  forall i | 0 <= i < |a| ensures b[i] == a[(i + k) % |a|]
  {
    if i + k < |a| { assert (i + k) % |a| == i + k; } else { assert (i + k) % |a| == i + k - |a|; }
  }
}
