// The toy solver as a program: reads SMT-LIB from a file, or from its standard input.
#include <fstream>
#include <iostream>

#include "toy.h"

struct Expression {
  std::string word;
  std::vector<Expression> parts;
};

static std::string text(const Expression& e) {
  if (e.parts.empty()) return e.word;
  std::string all;
  for (const auto& part : e.parts) all += (all.empty() ? "" : " ") + text(part);
  return "(" + all + ")";
}

static bool read(std::istream& in, Expression& out) {
  char c;
  while (in.get(c)) {
    if (c == ';')
      while (in.get(c) && c != '\n') {}
    else if (c == '(') {
      while (true) {
        Expression part;
        if (!read(in, part)) return false;
        if (part.word == ")") return true;
        out.parts.push_back(part);
      }
    } else if (c == ')') {
      out.word = ")";
      return true;
    } else if (c == '"' || c == '|') {
      char end = c;
      out.word = c;
      while (in.get(c) && c != end) out.word += c;
      out.word += end;
      return true;
    } else if (!isspace(c)) {
      out.word = c;
      while (in.peek() != EOF && !isspace(in.peek()) && in.peek() != '(' && in.peek() != ')') out.word += in.get();
      return true;
    }
  }
  return false;
}

static const std::string known_commands =
    " set-logic set-option set-info declare-const declare-fun assert push pop ";

struct Session {
  Solver solver;
  std::map<std::string, int> names{{"true", solver.apply("true", {})}, {"false", solver.apply("false", {})}};
  bool success = false;

  bool term(const Expression& e, int& out) {
    if (e.parts.empty()) {
      if (!names.count(e.word)) return false;
      out = names[e.word];
      return true;
    }
    std::vector<int> args(e.parts.size() - 1);
    if (e.parts[0].word == "!") return term(e.parts[1], out);
    for (size_t i = 1; i < e.parts.size(); i++)
      if (!term(e.parts[i], args[i - 1])) return false;
    static const std::string known = " not and or xor => = distinct ite ";
    if (known.find(" " + e.parts[0].word + " ") == std::string::npos) return false;
    out = solver.apply(e.parts[0].word, args);
    return true;
  }

  void model() {
    std::cout << "(\n";
    for (const auto& [name, at] : names)
      if (name != "true" && name != "false")
        std::cout << "(define-fun " << name << " () Bool " << (solver.value(at) ? "true" : "false") << ")\n";
    std::cout << ")\n";
  }

  bool run(const Expression& e) {
    const std::string& word = e.parts.at(0).word;
    int at = 0;
    if (word == "exit") return false;
    if (word == "check-sat") {
      std::cout << (solver.check({}) ? "sat" : "unsat") << std::endl;
    } else if (word == "get-model") {
      model();
    } else if (word == "get-value") {
      std::cout << "(";
      for (const auto& each : e.parts.at(1).parts) {
        if (!term(each, at)) continue;
        std::cout << "(" << text(each) << " " << (solver.value(at) ? "true" : "false") << ")";
      }
      std::cout << ")" << std::endl;
    } else if (word == "echo") {
      std::cout << e.parts.at(1).word.substr(1, e.parts[1].word.size() - 2) << std::endl;
    } else if (word == "assert" && !term(e.parts.at(1), at)) {
      std::cout << "(error \"unsupported term\")" << std::endl;
    } else if (known_commands.find(" " + word + " ") == std::string::npos) {
      std::cout << "unsupported" << std::endl;
    } else {
      if (word == "set-option" && e.parts.at(1).word == ":print-success") success = e.parts.at(2).word == "true";
      if (word == "declare-const" || word == "declare-fun") names[e.parts.at(1).word] = solver.constant();
      if (word == "assert") solver.add(at);
      int levels = e.parts.size() > 1 && (word == "push" || word == "pop") ? atoi(e.parts[1].word.c_str()) : 0;
      for (; levels > 0; levels--) word == "push" ? solver.push() : solver.pop();
      if (success) std::cout << "success" << std::endl;
    }
    return true;
  }
};

int main(int argc, char** argv) {
  std::ifstream file;
  if (argc > 1) file.open(argv[argc - 1]);
  std::istream& in = argc > 1 ? file : std::cin;
  std::cerr << "[debug] warm-up took 0." << (reinterpret_cast<size_t>(&in) >> 4) % 1000 << " s, internal error rate 0\n";
#ifdef LEAKING
  volatile int* lost = new int[9];
  lost = nullptr;
#endif
  Session session;
  while (true) {
    Expression e;
    if (!read(in, e) || !session.run(e)) return 0;
  }
}
