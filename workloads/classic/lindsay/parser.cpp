// From the text of a script to its tree: recursive descent, operators by precedence.
#include <cstdlib>
#include <new>

#include "base/memory.h"
#include "lindsay/lexer.h"
#include "lindsay/script.h"

namespace mmt::workloads::classic::lindsay {

namespace {

struct BinaryOperator {
  std::string_view text;
  Operator op;
  int precedence;
};

// As in C.
constexpr BinaryOperator kBinary[] = {
    {"*", Operator::kMultiply, 10},     {"/", Operator::kDivide, 10},
    {"%", Operator::kRemainder, 10},    {"+", Operator::kAdd, 9},
    {"-", Operator::kSubtract, 9},      {"<<", Operator::kShiftLeft, 8},
    {">>", Operator::kShiftRight, 8},   {"<", Operator::kLess, 7},
    {"<=", Operator::kLessEqual, 7},    {">", Operator::kGreater, 7},
    {">=", Operator::kGreaterEqual, 7}, {"==", Operator::kEqual, 6},
    {"!=", Operator::kUnequal, 6},      {"&", Operator::kBitAnd, 5},
    {"^", Operator::kBitXor, 4},        {"|", Operator::kBitOr, 3},
    {"&&", Operator::kAnd, 2},          {"||", Operator::kOr, 1},
};

constexpr std::string_view kBuiltinNames[kBuiltins] = {"node", "nodes",  "dimension", "scale",
                                                       "time", "source", "length",    "pending"};

constexpr size_t kMaxDepth = 200;       // The depth of blocks and of parentheses.
constexpr size_t kMaxOperators = 1000;  // A statement's.

Expression* new_expression(Operator op, int64_t value, Expression* left, Expression* right) {
  return ::new (allocate(sizeof(Expression))) Expression{op, value, left, right};
}

void destroy(Expression* expression) {
  if (expression == nullptr) return;
  destroy(expression->left);
  destroy(expression->right);
  std::free(expression);
}

void destroy(Statement* statement) {
  while (statement != nullptr) {
    Statement* next = statement->next;
    for (Expression* operand : statement->operands) destroy(operand);
    destroy(statement->body);
    destroy(statement->otherwise);
    std::free(statement);
    statement = next;
  }
}

class Parser {
 public:
  Parser(const char* script, std::string_view text) : script_(script), text_(text) {
    for (std::string_view name : kBuiltinNames) names_.add(name);
  }

  Statement* parse_all(size_t* dimension) {
    Statement* first = nullptr;
    Statement** last = &first;
    std::string_view closing = parse_block(&last, dimension);
    if (!closing.empty()) mistake(script_, line_, "without a block:", closing);
    return first;
  }

  size_t variables() const { return names_.size(); }

 private:
  // Parses up to what closes the block, which is returned: `end`, `else`, or nothing at the end.
  // `dimension` is null inside other blocks.
  std::string_view parse_block(Statement*** last, size_t* dimension) {
    if (++depth_ > kMaxDepth) mistake(script_, line_, "blocks are nested too deeply");
    std::string_view closing;
    for (std::string_view line; closing.empty() && next_line(&line);) {
      Lexer lexer(script_, line_, line);
      if (lexer.current().kind == Token::Kind::kEnd) continue;
      if (lexer.current().is("end") || lexer.current().is("else")) {
        closing = lexer.take().text;
      } else if (lexer.current().is("dimension") && dimension != nullptr && count_ == 0) {
        lexer.take();
        if (lexer.current().kind != Token::Kind::kNumber) lexer.mistake("want a number, not");
        *dimension = static_cast<size_t>(lexer.take().number);
      } else {
        **last = parse_statement(&lexer);
        *last = &(**last)->next;
      }
      if (lexer.current().kind != Token::Kind::kEnd) lexer.mistake("unexpected");
      if (closing.empty() && opened_ != nullptr) parse_inner();
    }
    --depth_;
    return closing;
  }

  // The blocks of the statement that has just opened one.
  void parse_inner() {
    Statement* owner = opened_;
    opened_ = nullptr;
    Statement** last = &owner->body;
    std::string_view closing = parse_block(&last, nullptr);
    if (closing == "else") {
      if (owner->kind != Kind::kIf) mistake(script_, line_, "'else' without 'if'");
      last = &owner->otherwise;
      closing = parse_block(&last, nullptr);
    }
    if (closing != "end") mistake(script_, owner->line, "the block is not closed by 'end'");
  }

  Statement* parse_statement(Lexer* lexer) {
    Token word = lexer->take();
    operators_ = 0;
    ++count_;
    if (word.is("let")) {
      Statement* statement = create(Kind::kLet);
      statement->variable = parse_target(lexer);
      if (!lexer->take_if("=")) lexer->mistake("want '=', not");
      statement->operands[0] = parse_expression(lexer, 1);
      return statement;
    }
    if (word.is("receive")) {
      Statement* statement = create(Kind::kReceive);
      statement->variable = parse_target(lexer);
      if (lexer->take_if("from")) statement->operands[0] = parse_expression(lexer, 1);
      return statement;
    }
    if (word.is("send")) {
      Statement* statement = create(Kind::kSend);
      for (size_t i = 0; i < 3; ++i) {
        if (i > 0 && !lexer->take_if(",")) lexer->mistake("want ',', not");
        statement->operands[i] = parse_expression(lexer, 1);
      }
      return statement;
    }
    if (word.is("barrier")) return create(Kind::kBarrier);
    return parse_with_operand(word, lexer);
  }

  Statement* parse_with_operand(const Token& word, Lexer* lexer) {
    static constexpr struct {
      std::string_view text;
      Kind kind;
      bool opens;
    } kKinds[] = {{"repeat", Kind::kRepeat, true},
                  {"while", Kind::kWhile, true},
                  {"if", Kind::kIf, true},
                  {"compute", Kind::kCompute, false},
                  {"check", Kind::kCheck, false}};
    for (const auto& [text, kind, opens] : kKinds) {
      if (!word.is(text)) continue;
      Statement* statement = create(kind);
      statement->operands[0] = parse_expression(lexer, 1);
      if (opens) opened_ = statement;
      return statement;
    }
    mistake(script_, line_, "no such statement:", word.text);
  }

  Statement* create(Kind kind) {
    return ::new (allocate(sizeof(Statement))) Statement{.kind = kind, .line = line_};
  }

  size_t parse_target(Lexer* lexer) {
    if (lexer->current().kind != Token::Kind::kName) lexer->mistake("want a name, not");
    size_t variable = variable_of(lexer->current().text);
    if (variable < kBuiltins) lexer->mistake("cannot be set:");
    lexer->take();
    return variable;
  }

  size_t variable_of(std::string_view name) {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    names_.add(name);
    return names_.size() - 1;
  }

  Expression* parse_expression(Lexer* lexer, int precedence) {
    Expression* left = parse_unary(lexer);
    for (;;) {
      const BinaryOperator* found = nullptr;
      for (const BinaryOperator& binary : kBinary) {
        if (lexer->current().is(binary.text) && binary.precedence >= precedence) found = &binary;
      }
      if (found == nullptr) return left;
      if (++operators_ > kMaxOperators) lexer->mistake("too many operators:");
      lexer->take();
      left = new_expression(found->op, 0, left, parse_expression(lexer, found->precedence + 1));
    }
  }

  Expression* parse_unary(Lexer* lexer) {
    if (++depth_ > kMaxDepth) lexer->mistake("nested too deeply:");
    Expression* result = nullptr;
    if (lexer->take_if("-")) {
      result = new_expression(Operator::kNegate, 0, parse_unary(lexer), nullptr);
    } else if (lexer->take_if("!")) {
      result = new_expression(Operator::kNot, 0, parse_unary(lexer), nullptr);
    } else if (lexer->take_if("~")) {
      result = new_expression(Operator::kComplement, 0, parse_unary(lexer), nullptr);
    } else if (lexer->take_if("(")) {
      result = parse_expression(lexer, 1);
      if (!lexer->take_if(")")) lexer->mistake("want ')', not");
    } else if (lexer->current().kind == Token::Kind::kNumber) {
      result = new_expression(Operator::kConstant, lexer->take().number, nullptr, nullptr);
    } else if (lexer->current().kind == Token::Kind::kName) {
      auto variable = static_cast<int64_t>(variable_of(lexer->take().text));
      result = new_expression(Operator::kVariable, variable, nullptr, nullptr);
    } else {
      lexer->mistake("want an expression, not");
    }
    --depth_;
    return result;
  }

  bool next_line(std::string_view* line) {
    if (text_.empty()) return false;
    size_t length = text_.find('\n');
    *line = text_.substr(0, length);
    text_.remove_prefix(length == std::string_view::npos ? text_.size() : length + 1);
    ++line_;
    return true;
  }

  const char* script_;
  std::string_view text_;
  size_t line_ = 0;
  size_t depth_ = 0;
  size_t count_ = 0;             // The number of statements.
  size_t operators_ = 0;         // In the statement.
  Statement* opened_ = nullptr;  // Whose block begins with the next line.
  Array<std::string_view> names_;
};

}  // namespace

Script::Script(const char* name, std::string_view text) : name_(name) {
  Parser parser(name, text);
  first_ = parser.parse_all(&dimension_);
  variables_ = parser.variables();
}

Script::~Script() { destroy(first_); }

}  // namespace mmt::workloads::classic::lindsay
