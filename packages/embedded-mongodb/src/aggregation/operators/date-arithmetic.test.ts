import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Shorthand, value } from '../../../test/shorthand.ts';
import { type BsonValue, long } from '../../bson/document.ts';
import { compileExpression } from '../expression.ts';
import { scopeOf } from '../scope.ts';

const evaluate = (expression: Shorthand): BsonValue | undefined =>
  compileExpression(value(expression))(scopeOf(new Map(), new Date(0)));

const date = fc.date({
  min: new Date('1700-01-01T00:00:00Z'),
  max: new Date('2300-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const unit = fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second');
const zone = fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', '-03:30', '+14');
const weekday = fc.constantFrom('monday', 'wed', 'Saturday');

it('$dateTrunc returns the latest start of the unit', () => {
  fc.assert(
    fc.property(
      date,
      unit,
      fc.constantFrom('UTC', '-03:30', '+14'),
      weekday,
      (at, name, timezone, startOfWeek) => {
        const options = { unit: name, timezone };
        const start = evaluate({ $dateTrunc: { date: at, ...options, startOfWeek } }) as Date;
        const next = evaluate({ $dateAdd: { startDate: start, ...options, amount: 1 } }) as Date;
        expect(start <= at && at < next).toBe(true);
        expect(evaluate({ $dateDiff: { startDate: start, endDate: at, ...options, startOfWeek } })).toEqual(
          long(0),
        );
        expect(evaluate({ $dateDiff: { startDate: at, endDate: next, ...options, startOfWeek } })).toEqual(
          long(1),
        );
      },
    ),
  );
});

it('$dateTrunc does not change a date at the start of a unit', () => {
  fc.assert(
    fc.property(date, unit, zone, fc.integer({ min: 1, max: 50 }), (at, name, timezone, binSize) => {
      const truncate = (from: Date) =>
        evaluate({ $dateTrunc: { date: from, unit: name, timezone, binSize } });
      const start = truncate(at) as Date;
      expect(truncate(start)).toEqual(start);
    }),
  );
});

it('$dateSubtract reverses $dateAdd for units shorter than a month', () => {
  fc.assert(
    fc.property(date, fc.constantFrom('week', 'day', 'hour', 'second'), fc.integer(), (at, name, amount) => {
      const there = evaluate({
        $dateAdd: { startDate: at, unit: name, amount: amount % 10_000 },
      }) as Date;
      expect(evaluate({ $dateSubtract: { startDate: there, unit: name, amount: amount % 10_000 } })).toEqual(
        at,
      );
    }),
  );
});
