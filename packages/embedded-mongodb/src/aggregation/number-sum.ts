import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumericValue } from '../bson/document.ts';
import { add, roundToDecimal, toDecimal } from '../semantics/arithmetic.ts';
import { exactDecimalOfDouble } from '../semantics/numbers.ts';

const HIGH_HALF = 2n ** 32n;

/**
 * A sum of numbers as `$sum` and `$avg` compute it: an int32 while it fits, then an int64, then a double. Any double or
 * decimal among the numbers turns the sum into that type. As in MongoDB, all numbers but decimals are added with twice
 * the precision of a double, which is exact for integers.
 */
export class NumberSum {
  count = 0;
  private sum = 0;
  /** The rounding error of `sum`. */
  private rest = 0;
  /** The sum without `rest`, which becomes NaN once an infinity is added. */
  private plainSum = 0;
  private decimal: Decimal128 | undefined;
  private widest: 'int' | 'long' | 'double' = 'int';

  add(value: NumericValue): void {
    this.count += 1;
    if (value instanceof Decimal128) {
      this.decimal = add(this.decimal ?? Decimal128.fromString('0'), value) as Decimal128;
    } else if (value instanceof Long) {
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

  total(): NumericValue {
    if (this.decimal !== undefined) return add(this.decimal, this.decimalOfDoubles()) as Decimal128;
    if (this.widest === 'double') return new Double(Number.isNaN(this.sum) ? this.plainSum : this.sum);
    const whole = BigInt(this.sum) + BigInt(this.rest);
    if (this.widest === 'int' && BigInt.asIntN(32, whole) === whole) return new Int32(Number(whole));
    return BigInt.asIntN(64, whole) === whole ? Long.fromBigInt(whole) : new Double(this.sum);
  }

  private decimalOfDoubles(): NumericValue {
    if (!Number.isFinite(this.sum)) return toDecimal(new Double(this.plainSum));
    const [sum, rest] = [this.sum, this.rest].map((part) => roundToDecimal(exactDecimalOfDouble(part)));
    return add(sum as Decimal128, rest as Decimal128) as Decimal128;
  }
}
