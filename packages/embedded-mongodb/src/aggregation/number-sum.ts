import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumericValue } from '../bson/document.ts';
import { decimalsOutOfScope } from '../semantics/arithmetic.ts';

const HIGH_HALF = 2n ** 32n;

/**
 * A sum of numbers as `$sum` computes it: an int32 while it fits, then an int64, then a double. Any double among the
 * numbers turns the sum into a double. As in MongoDB, numbers are added with twice the precision of a double, which is
 * exact for integers.
 */
export class NumberSum {
  private sum = 0;
  /** The rounding error of `sum`. */
  private rest = 0;
  /** The sum without `rest`, which becomes NaN once an infinity is added. */
  private plainSum = 0;
  private widest: 'int' | 'long' | 'double' = 'int';

  add(value: NumericValue): void {
    if (value instanceof Decimal128) throw decimalsOutOfScope();
    if (value instanceof Long) {
      if (this.widest === 'int') this.widest = 'long';
      const whole = value.toBigInt();
      const low = whole % HIGH_HALF;
      this.addDouble(Number(low));
      this.addDouble(Number(whole - low));
    } else {
      if (value instanceof Double) this.widest = 'double';
      this.addDouble(value.value);
    }
  }

  /** Adds the value to the rest (Fast2Sum), then the remainder to the sum (2Sum), and keeps both rounding errors. */
  private addDouble(value: number): void {
    this.plainSum += value;
    const addend = value + this.rest;
    const addendError = this.rest - (addend - value);
    const sum = this.sum + addend;
    const part = sum - addend;
    this.rest = addendError + (this.sum - part + (addend - (sum - part)));
    this.sum = sum;
  }

  result(): NumericValue {
    if (this.widest === 'double') return new Double(Number.isNaN(this.sum) ? this.plainSum : this.sum);
    const whole = BigInt(this.sum) + BigInt(this.rest);
    if (this.widest === 'int' && BigInt.asIntN(32, whole) === whole) return new Int32(Number(whole));
    return BigInt.asIntN(64, whole) === whole ? Long.fromBigInt(whole) : new Double(this.sum);
  }
}
