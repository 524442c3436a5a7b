// A toy SAT solver for formulas over Bool: small enough to read, slow enough to be certain.
#pragma once
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

struct Node {
  std::string op;  // "const", "true", "false", or an operator of SMT-LIB
  std::vector<int> args;
};

class Solver {
 public:
  int constant();
  int apply(const std::string& op, const std::vector<int>& args);
  void add(int term);
  void push();
  void pop();
  bool check(const std::vector<int>& assumptions);
  bool value(int term) const;

 private:
  std::vector<char> values_under(unsigned assignment) const;
  std::vector<Node> nodes;
  std::vector<int> constants;
  std::vector<std::vector<int>> levels{{}};
  unsigned model = 0;
};
