import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumericValue } from '../bson/document.ts';
import { add, toDecimal, wholeOf } from '../semantics/arithmetic.ts';

/**
 * A sum of numbers as `$sum`, `$add` and `$avg` make it: int32 while it fits, then int64, then double; a
 * double or a decimal among the numbers makes the sum one. Doubles are added with twice their precision, as in
 * MongoDB, so that the order of many addends hardly shows.
 */
export class NumberSum {
  count = 0;
  private whole = 0n;
  private double = 0;
  private doubleRest = 0;
  private plainDouble = 0;
  private decimal: Decimal128 | undefined;
  private widest: 'int' | 'long' | 'double' = 'int';

  add(value: NumericValue): void {
    this.count += 1;
    if (value instanceof Decimal128) {
      this.decimal = this.decimal === undefined ? value : (add(this.decimal, value) as Decimal128);
    } else if (value instanceof Double) {
      this.widest = 'double';
      this.addDouble(value.value);
    } else {
      if (value instanceof Long && this.widest === 'int') this.widest = 'long';
      this.whole += wholeOf(value as Int32 | Long);
    }
  }

  /** Knuth's two-sum: the rounding error of each addition is kept and added at the end. */
  private addDouble(value: number): void {
    this.plainDouble += value;
    const sum = this.double + value;
    const part = sum - this.double;
    this.doubleRest += this.double - (sum - part) + (value - part);
    this.double = sum;
  }

  private doubleTotal(): number {
    const whole = Number(this.whole);
    const rest = Number(this.whole - BigInt(whole));
    const copy = new NumberSum();
    copy.double = this.double;
    copy.doubleRest = this.doubleRest;
    copy.plainDouble = this.plainDouble;
    copy.addDouble(whole);
    copy.addDouble(rest);
    const total = copy.double + copy.doubleRest;
    // An infinity makes the kept errors NaN; the plain sum is right then.
    return Number.isNaN(total) ? copy.plainDouble : total;
  }

  total(): NumericValue {
    if (this.decimal !== undefined) {
      const others = add(
        toDecimal(new Double(this.double + this.doubleRest)),
        wholeDecimal(this.whole),
      ) as Decimal128;
      return add(this.decimal, this.widest === 'double' ? others : wholeDecimal(this.whole)) as Decimal128;
    }
    if (this.widest === 'double') return new Double(this.doubleTotal());
    if (this.widest === 'int' && BigInt.asIntN(32, this.whole) === this.whole)
      return new Int32(Number(this.whole));
    return BigInt.asIntN(64, this.whole) === this.whole
      ? Long.fromBigInt(this.whole)
      : new Double(Number(this.whole));
  }
}

function wholeDecimal(whole: bigint): Decimal128 {
  return Decimal128.fromString(whole.toString());
}
