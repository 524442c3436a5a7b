#include "toy.h"

#include <climits>
#include <cstdio>

int Solver::constant() {
  nodes.push_back({"const", {static_cast<int>(constants.size())}});
  constants.push_back(static_cast<int>(nodes.size()) - 1);
  return constants.back();
}

int Solver::apply(const std::string& op, const std::vector<int>& args) {
#ifdef PLANTED
  if (op == "xor") {  // room for two arguments only
    int* pair = new int[2];
    for (size_t i = 0; i < args.size(); i++) pair[i] = args[i];
    delete[] pair;
  }
#endif
#ifdef DEFECTS
  if (op == "xor") {
    volatile int most = INT_MAX;
    most = most + static_cast<int>(args.size());
    static int calls = 0;
    static std::atomic<bool> counted;
    counted = false;
    std::thread other([] { calls++, counted.store(true, std::memory_order_relaxed); });
    while (!counted.load(std::memory_order_relaxed)) {}  // an order of time, but none that counts
    calls++;
    other.join();
  }
#endif
  nodes.push_back({op, args});
  return static_cast<int>(nodes.size()) - 1;
}

void Solver::add(int term) { levels.back().push_back(term); }
void Solver::push() { levels.emplace_back(); }
void Solver::pop() { levels.pop_back(); }

// Terms are numbered in the order they are made: arguments come before what is made of them.
std::vector<char> Solver::values_under(unsigned assignment) const {
  std::vector<char> values(nodes.size());
  for (size_t at = 0; at < nodes.size(); at++) {
    const Node& node = nodes[at];
    const std::vector<int>& args = node.args;
    bool result = false;
    if (node.op == "const") result = assignment >> args[0] & 1;
    if (node.op == "true") result = true;
    if (node.op == "not") result = !values[args[0]];
    if (node.op == "ite") result = values[args[0]] ? values[args[1]] : values[args[2]];
    if (node.op == "and" || node.op == "=") result = true;
    for (size_t i = 0; i < args.size(); i++) {
      bool value = node.op == "const" ? false : values[args[i]];
      bool last = i + 1 == args.size();
      if (node.op == "and") result = result && value;
      if (node.op == "or") result = result || value;
      if (node.op == "xor") result = result != value;
      if (node.op == "=" && i > 0) result = result && value == static_cast<bool>(values[args[0]]);
      if (node.op == "distinct" && i == 1) result = args.size() == 2 && value != static_cast<bool>(values[args[0]]);
      if (node.op == "=>" && (last ? value : !value)) result = true;
    }
    values[at] = result;
  }
  return values;
}

#ifdef NESTED
// Fails behind five conditions, one inside the other, on the operators of the first five assertions.
static void fail_if(const std::vector<std::string>& ops) {
  if (ops.size() < 5) return;
  if (ops[0] == "xor")
    if (ops[1] == "=>")
      if (ops[2] == "distinct")
        if (ops[3] == "=")
          if (ops[4] == "or") abort();
}
#endif

bool Solver::check(const std::vector<int>& assumptions) {
#ifdef NESTED
  std::vector<std::string> ops;
  for (int term : levels[0]) ops.push_back(nodes[term].op);
  fail_if(ops);
#endif
  for (unsigned assignment = 0; assignment < 1u << constants.size(); assignment++) {
    std::vector<char> values = values_under(assignment);
    bool holds = true;
    for (const auto& level : levels)
      for (int term : level) holds = holds && values[term];
    for (int term : assumptions) holds = holds && values[term];
    if (holds) {
      model = assignment;
      return true;
    }
  }
  return false;
}

bool Solver::value(int term) const { return values_under(model)[term]; }

// The C interface of the library.
extern "C" {
Solver* toy_new() { return new Solver; }
void toy_delete(Solver* solver) { delete solver; }
int toy_const(Solver* solver) { return solver->constant(); }
int toy_apply(Solver* solver, const char* op, const int* args, int count) {
  return solver->apply(op, std::vector<int>(args, args + count));
}
void toy_assert(Solver* solver, int term) { solver->add(term); }
void toy_push(Solver* solver) { solver->push(); }
void toy_pop(Solver* solver) { solver->pop(); }
int toy_check(Solver* solver, const int* terms, int count) {
  std::fprintf(stderr, "[toy] check takes %p 0.0%d s\n", static_cast<void*>(solver), count);
  return solver->check(std::vector<int>(terms, terms + count));
}
int toy_value(Solver* solver, int term) { return solver->value(term); }
}
