#include "roboop/matrix.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"

namespace mmt::workloads::classic::roboop {

Matrix::Matrix(size_t rows, size_t columns)
    : rows_(rows), columns_(columns), elements_(new double[rows * columns]) {
  std::fill(elements_, elements_ + rows * columns, 0.0);
}

Matrix::Matrix(size_t rows, size_t columns, std::initializer_list<double> elements)
    : rows_(rows), columns_(columns), elements_(new double[rows * columns]) {
  check(elements.size() == rows * columns, "a matrix has another number of elements");
  std::copy(elements.begin(), elements.end(), elements_);
}

Matrix::Matrix(const Matrix& other)
    : rows_(other.rows_), columns_(other.columns_), elements_(new double[rows_ * columns_]) {
  std::copy(other.elements_, other.elements_ + rows_ * columns_, elements_);
}

Matrix Matrix::identity(size_t size) {
  Matrix result(size, size);
  for (size_t i = 0; i < size; ++i) result(i, i) = 1;
  return result;
}

Matrix Matrix::diagonal(std::initializer_list<double> elements) {
  Matrix result(elements.size(), elements.size());
  size_t i = 0;
  for (double element : elements) {
    result(i, i) = element;
    ++i;
  }
  return result;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  check(a.rows_ == b.rows_ && a.columns_ == b.columns_, "a sum of unlike matrices");
  Matrix result(a.rows_, a.columns_);
  for (size_t i = 0; i < a.rows_ * a.columns_; ++i) {
    result.elements_[i] = a.elements_[i] + b.elements_[i];
  }
  return result;
}

Matrix operator-(const Matrix& a, const Matrix& b) {
  check(a.rows_ == b.rows_ && a.columns_ == b.columns_, "a difference of unlike matrices");
  Matrix result(a.rows_, a.columns_);
  for (size_t i = 0; i < a.rows_ * a.columns_; ++i) {
    result.elements_[i] = a.elements_[i] - b.elements_[i];
  }
  return result;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  check(a.columns_ == b.rows_, "a product of matrices that do not fit");
  Matrix result(a.rows_, b.columns_);
  for (size_t i = 0; i < a.rows_; ++i) {
    for (size_t k = 0; k < a.columns_; ++k) {
      for (size_t j = 0; j < b.columns_; ++j) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}

Matrix operator*(double factor, const Matrix& a) {
  Matrix result(a.rows_, a.columns_);
  for (size_t i = 0; i < a.rows_ * a.columns_; ++i) result.elements_[i] = factor * a.elements_[i];
  return result;
}

Matrix Matrix::transposed() const {
  Matrix result(columns_, rows_);
  for (size_t i = 0; i < rows_; ++i) {
    for (size_t j = 0; j < columns_; ++j) result(j, i) = (*this)(i, j);
  }
  return result;
}

Matrix Matrix::block(size_t row, size_t column, size_t rows, size_t columns) const {
  check(row + rows <= rows_ && column + columns <= columns_, "a block outside its matrix");
  Matrix result(rows, columns);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) result(i, j) = (*this)(row + i, column + j);
  }
  return result;
}

void Matrix::put(size_t row, size_t column, const Matrix& block) {
  check(row + block.rows_ <= rows_ && column + block.columns_ <= columns_,
        "a block outside its matrix");
  for (size_t i = 0; i < block.rows_; ++i) {
    for (size_t j = 0; j < block.columns_; ++j) (*this)(row + i, column + j) = block(i, j);
  }
}

double Matrix::largest() const {
  double result = 0;
  // Not std::max: it would drop what is not a number.
  for (size_t i = 0; i < rows_ * columns_; ++i) {
    if (!(std::fabs(elements_[i]) <= result)) result = std::fabs(elements_[i]);
  }
  return result;
}

double dot(const Matrix& a, const Matrix& b) {
  double result = 0;
  for (size_t i = 0; i < a.rows(); ++i) result += a(i) * b(i);
  return result;
}

Matrix cross(const Matrix& a, const Matrix& b) {
  return Matrix(3, 1,
                {a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)});
}

bool solve(const Matrix& a, const Matrix& b, Matrix* x) {
  size_t n = a.rows();
  check(a.columns() == n && b.rows() == n, "a system of equations that is not square");
  Matrix left = a;
  Matrix right = b;
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::fabs(left(i, k)) > std::fabs(left(pivot, k))) pivot = i;
    }
    if (!(std::fabs(left(pivot, k)) > 0)) return false;
    if (pivot != k) {
      for (size_t j = k; j < n; ++j) std::swap(left(k, j), left(pivot, j));
      for (size_t j = 0; j < right.columns(); ++j) std::swap(right(k, j), right(pivot, j));
    }
    for (size_t i = k + 1; i < n; ++i) {
      double factor = left(i, k) / left(k, k);
      for (size_t j = k; j < n; ++j) left(i, j) -= factor * left(k, j);
      for (size_t j = 0; j < right.columns(); ++j) right(i, j) -= factor * right(k, j);
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = 0; j < right.columns(); ++j) {
      for (size_t i = k + 1; i < n; ++i) right(k, j) -= left(k, i) * right(i, j);
      right(k, j) /= left(k, k);
    }
  }
  *x = std::move(right);
  return true;
}

}  // namespace mmt::workloads::classic::roboop
