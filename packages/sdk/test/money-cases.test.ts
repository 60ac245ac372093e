import { describe, expect, it } from 'vitest';
import { fromMinorUnits, type TollgateError, toMinorUnits } from '../src/index.ts';
import { type MoneyCase, readCases } from './cases/case-file.ts';

function convert({ to_minor_units: to, from_minor_units: from }: MoneyCase): unknown {
  try {
    return to ? toMinorUnits(...to) : fromMinorUnits(...(from as [number, string]));
  } catch (error) {
    const { name, code } = error as TollgateError;
    return { error: name, code };
  }
}

describe('the money helpers', () => {
  it.each(readCases<MoneyCase>('money.json').map((one) => ({ one, title: JSON.stringify(one) })))(
    '$title',
    ({ one }) => {
      expect(convert(one)).toStrictEqual(one.expect);
    },
  );

  it('reverse each other for every number of decimals', () => {
    for (let decimals = 0; decimals <= 8; decimals += 1) {
      for (const minorUnits of [0, 1, -1, 9, 10, 99, 1_005, -1_005, 123_456_789, Number.MAX_SAFE_INTEGER]) {
        expect(toMinorUnits(fromMinorUnits(minorUnits, decimals), decimals)).toBe(minorUnits);
      }
    }
  });
});
