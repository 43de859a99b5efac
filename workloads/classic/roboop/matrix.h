// Matrices of doubles whose elements are in the heap, one `new double[]` for each matrix: every
// result of an operator is a matrix of its own. A column vector is a matrix of one column.
// Operands whose shapes do not fit are programming errors and end the program.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>

namespace mmt::workloads::classic::roboop {

class Matrix {
 public:
  Matrix() = default;
  // All elements 0.
  Matrix(size_t rows, size_t columns);
  // Row by row; as many as there are elements.
  Matrix(size_t rows, size_t columns, std::initializer_list<double> elements);
  Matrix(const Matrix& other);
  Matrix(Matrix&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)),
        columns_(std::exchange(other.columns_, 0)),
        elements_(std::exchange(other.elements_, nullptr)) {}
  Matrix& operator=(Matrix other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
    std::swap(elements_, other.elements_);
    return *this;
  }
  ~Matrix() { delete[] elements_; }

  static Matrix identity(size_t size);
  static Matrix diagonal(std::initializer_list<double> elements);

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  double& operator()(size_t row, size_t column) { return elements_[row * columns_ + column]; }
  double operator()(size_t row, size_t column) const { return elements_[row * columns_ + column]; }
  // These take an element of a vector.
  double& operator()(size_t row) { return elements_[row]; }
  double operator()(size_t row) const { return elements_[row]; }

  friend Matrix operator+(const Matrix& a, const Matrix& b);
  friend Matrix operator-(const Matrix& a, const Matrix& b);
  friend Matrix operator*(const Matrix& a, const Matrix& b);
  friend Matrix operator*(double factor, const Matrix& a);

  Matrix transposed() const;
  Matrix block(size_t row, size_t column, size_t rows, size_t columns) const;
  void put(size_t row, size_t column, const Matrix& block);
  // The largest absolute element.
  double largest() const;

 private:
  size_t rows_ = 0;
  size_t columns_ = 0;
  double* elements_ = nullptr;
};

// Both work on vectors.
double dot(const Matrix& a, const Matrix& b);
Matrix cross(const Matrix& a, const Matrix& b);

// x with a x = b, by LU decomposition with pivots. False if `a` is singular.
bool solve(const Matrix& a, const Matrix& b, Matrix* x);

}  // namespace mmt::workloads::classic::roboop
