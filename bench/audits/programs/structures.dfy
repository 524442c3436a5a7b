datatype List<T> = Nil | Cons(head: T, tail: List<T>)
datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)

function Length<T>(l: List<T>): nat { match l case Nil => 0 case Cons(_, t) => 1 + Length(t) }
function Append<T>(a: List<T>, b: List<T>): List<T>
{ match a case Nil => b case Cons(h, t) => Cons(h, Append(t, b)) }
function Reverse<T>(l: List<T>): List<T>
{ match l case Nil => Nil case Cons(h, t) => Append(Reverse(t), Cons(h, Nil)) }
function Elements<T>(l: List<T>): multiset<T>
{ match l case Nil => multiset{} case Cons(h, t) => multiset{h} + Elements(t) }
function Map(l: List<int>, k: int): List<int>
{ match l case Nil => Nil case Cons(h, t) => Cons(h + k, Map(t, k)) }
function Total(l: List<int>): int { match l case Nil => 0 case Cons(h, t) => h + Total(t) }

lemma AppendNil<T>(l: List<T>) ensures Append(l, Nil) == l { }
lemma AppendAssociative<T>(a: List<T>, b: List<T>, c: List<T>)
  ensures Append(Append(a, b), c) == Append(a, Append(b, c)) { }
lemma LengthAppend<T>(a: List<T>, b: List<T>) ensures Length(Append(a, b)) == Length(a) + Length(b) { }
lemma ElementsAppend<T>(a: List<T>, b: List<T>) ensures Elements(Append(a, b)) == Elements(a) + Elements(b) { }
lemma ReverseAppend<T>(a: List<T>, b: List<T>)
  ensures Reverse(Append(a, b)) == Append(Reverse(b), Reverse(a))
{
  match a
  case Nil => AppendNil(Reverse(b));
  case Cons(h, t) => ReverseAppend(t, b); AppendAssociative(Reverse(b), Reverse(t), Cons(h, Nil));
}
lemma ReverseReverse<T>(l: List<T>) ensures Reverse(Reverse(l)) == l
{
  match l
  case Nil =>
  case Cons(h, t) => ReverseReverse(t); ReverseAppend(Reverse(t), Cons(h, Nil));
}
lemma ReverseElements<T>(l: List<T>) ensures Elements(Reverse(l)) == Elements(l)
{
  match l
  case Nil =>
  case Cons(h, t) => ElementsAppend(Reverse(t), Cons(h, Nil));
}
lemma MapTotal(l: List<int>, k: int) ensures Total(Map(l, k)) == Total(l) + k * Length(l)
{
  match l
  case Nil =>
  case Cons(h, t) => MapTotal(t, k); assert k * Length(l) == k * Length(t) + k;
}
lemma MapMap(l: List<int>, j: int, k: int) ensures Map(Map(l, j), k) == Map(l, j + k) { }

function Values(t: Tree): set<int>
{ match t case Leaf => {} case Node(l, v, r) => Values(l) + {v} + Values(r) }
function Size(t: Tree): nat { match t case Leaf => 0 case Node(l, _, r) => Size(l) + 1 + Size(r) }
function Depth(t: Tree): nat
{ match t case Leaf => 0 case Node(l, _, r) => 1 + if Depth(l) > Depth(r) then Depth(l) else Depth(r) }
predicate Ordered(t: Tree)
{
  match t
  case Leaf => true
  case Node(l, v, r) => Ordered(l) && Ordered(r) && (forall x :: x in Values(l) ==> x < v)
                        && (forall x :: x in Values(r) ==> v < x)
}
function Insert(t: Tree, x: int): Tree
{
  match t
  case Leaf => Node(Leaf, x, Leaf)
  case Node(l, v, r) => if x < v then Node(Insert(l, x), v, r) else if v < x then Node(l, v, Insert(r, x)) else t
}
function Mirror(t: Tree): Tree { match t case Leaf => Leaf case Node(l, v, r) => Node(Mirror(r), v, Mirror(l)) }
function Contains(t: Tree, x: int): bool
{
  match t
  case Leaf => false
  case Node(l, v, r) => x == v || (x < v && Contains(l, x)) || (v < x && Contains(r, x))
}
lemma InsertValues(t: Tree, x: int) ensures Values(Insert(t, x)) == Values(t) + {x} { }
lemma InsertOrdered(t: Tree, x: int) requires Ordered(t) ensures Ordered(Insert(t, x))
{
  match t
  case Leaf =>
  case Node(l, v, r) => InsertValues(l, x); InsertValues(r, x);
}
lemma ContainsIs(t: Tree, x: int) requires Ordered(t) ensures Contains(t, x) <==> x in Values(t) { }
lemma MirrorTwice(t: Tree) ensures Mirror(Mirror(t)) == t { }
lemma MirrorSize(t: Tree) ensures Size(Mirror(t)) == Size(t) { }
lemma MirrorDepth(t: Tree) ensures Depth(Mirror(t)) == Depth(t) { }
lemma DepthBound(t: Tree) ensures Depth(t) <= Size(t) { }
lemma WrongMirror(t: Tree) ensures Mirror(t) == t { }

class Counter {
  var value: int
  var steps: nat
  predicate Valid() reads this { value >= 0 && steps >= 0 && value <= 10 * steps }
  constructor() ensures Valid() && value == 0 { value := 0; steps := 0; }
  method Add(k: int)
    requires Valid() && 0 <= k <= 10
    modifies this
    ensures Valid() && value == old(value) + k
  { value := value + k; steps := steps + 1; }
  method Reset() modifies this ensures Valid() && value == 0 { value := 0; steps := 0; }
}

class Queue<T(0)> {
  var items: array<T>
  var first: nat
  var count: nat
  ghost var content: seq<T>
  predicate Valid()
    reads this, items
  {
    items.Length > 0 && first < items.Length && count <= items.Length && |content| == count &&
    forall i :: 0 <= i < count ==> content[i] == items[if first + i < items.Length then first + i else first + i - items.Length]
  }
  constructor(size: nat)
    requires size > 0
    ensures Valid() && content == [] && fresh(items)
  { items := new T[size]; first := 0; count := 0; content := []; }
  method Enqueue(x: T)
    requires Valid() && count < items.Length
    modifies this, items
    ensures Valid() && content == old(content) + [x] && items == old(items)
  {
    var place := if first + count < items.Length then first + count else first + count - items.Length;
    items[place] := x;
    count := count + 1;
    content := content + [x];
  }
  method Dequeue() returns (x: T)
    requires Valid() && count > 0
    modifies this
    ensures Valid() && x == old(content)[0] && content == old(content)[1..] && items == old(items)
  {
    x := items[first];
    first := if first + 1 < items.Length then first + 1 else 0;
    count := count - 1;
    content := content[1..];
  }
}
