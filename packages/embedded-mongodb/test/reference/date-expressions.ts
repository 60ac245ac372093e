import { type BsonValue, type Document, ObjectId, Timestamp } from '../../src/bson/document.ts';
import { isNullish } from './arithmetic.ts';
import {
  addToDate,
  assertDateFormat,
  type DateParts,
  dateDifference,
  datePartsOf,
  formatDate,
  parseDayOfWeek,
  parseUnit,
  parseZone,
  truncateDate,
  type Unit,
  UTC,
  type Zone,
} from './dates.ts';
import { argumentsOf, type Evaluate, type Parse, type Scope } from './expression.ts';
import { intOrLong, long, wholeNumber } from './numbers.ts';
import type { Maybe } from './order.ts';
import { rejectUnless, Undetermined } from './rejected.ts';

const PARTS: Record<string, keyof DateParts> = {
  $year: 'year',
  $month: 'month',
  $dayOfMonth: 'dayOfMonth',
  $hour: 'hour',
  $minute: 'minute',
  $second: 'second',
  $millisecond: 'millisecond',
  $dayOfWeek: 'dayOfWeek',
  $dayOfYear: 'dayOfYear',
};

const OPERATORS: Record<string, (operand: BsonValue, parse: Parse) => Evaluate> = {
  $dateToString: parseDateToString,
  $dateAdd: (operand, parse) => parseDateAdd('$dateAdd', operand, parse, 1),
  $dateSubtract: (operand, parse) => parseDateAdd('$dateSubtract', operand, parse, -1),
  $dateDiff: parseDateDiff,
  $dateTrunc: parseDateTrunc,
};

export function parseDateOperator(name: string, operand: BsonValue, parse: Parse): Evaluate | undefined {
  const part = PARTS[name];
  return part === undefined ? OPERATORS[name]?.(operand, parse) : parsePart(name, part, operand, parse);
}

/** Timestamps and ObjectIds count as their creation dates. */
function dateOf(value: Maybe): Date {
  if (value instanceof Date) return value;
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (value instanceof ObjectId) {
    const seconds = Buffer.from(value.id).readInt32BE(0);
    // The seconds of an ObjectId are unsigned, but some versions of MongoDB read them as signed.
    if (seconds < 0) return new Date((seconds + 2 ** 32) * 1000);
    return new Date(seconds * 1000);
  }
  rejectUnless(false, "can't convert to Date");
  throw new Error('unreachable');
}

/** Arguments by name, evaluated on request. Absent arguments evaluate to undefined. */
class Arguments {
  readonly given: Document;
  readonly parsed: ReadonlyMap<string, Evaluate>;

  constructor(given: Document, parse: Parse) {
    this.given = given;
    this.parsed = new Map([...given].map(([name, value]) => [name, parse(value)]));
  }

  value(name: string, scope: Scope): Maybe {
    return this.parsed.get(name)?.(scope);
  }

  isNull(name: string, scope: Scope): boolean {
    return this.given.has(name) && isNullish(this.value(name, scope));
  }

  unit(scope: Scope): Unit {
    try {
      return parseUnit(this.value('unit', scope));
    } catch (error) {
      if (this.isNull('timezone', scope)) throw new Undetermined('no unit in no time zone');
      throw error;
    }
  }

  /** The time zone: UTC if the argument is absent, undefined if it is null. */
  zone(scope: Scope): Zone | undefined {
    if (!this.given.has('timezone')) return UTC;
    const name = this.value('timezone', scope);
    return isNullish(name) ? undefined : parseZone(name);
  }

  startOfWeek(unit: Unit, scope: Scope): number | undefined {
    if (!this.given.has('startOfWeek') || unit !== 'week') return 0;
    const name = this.value('startOfWeek', scope);
    return isNullish(name) ? undefined : parseDayOfWeek(name);
  }
}

function parsePart(name: string, part: keyof DateParts, operand: BsonValue, parse: Parse): Evaluate {
  const only = Array.isArray(operand) ? operand[0] : operand;
  rejectUnless(
    only !== undefined && (!Array.isArray(operand) || operand.length === 1),
    `${name} takes one argument`,
  );
  const isNamed = operand instanceof Map && ![...operand.keys()][0]?.startsWith('$');
  const given = isNamed ? argumentsOf(name, operand, ['date'], ['timezone']) : new Map([['date', only]]);
  const values = new Arguments(given, parse);
  return (scope) => {
    const date = values.value('date', scope);
    if (isNullish(date)) return null;
    const isDate = date instanceof Date || date instanceof Timestamp || date instanceof ObjectId;
    if (!isDate && values.isNull('timezone', scope)) throw new Undetermined('no date in no time zone');
    const moment = dateOf(date);
    const zone = values.zone(scope);
    return zone === undefined ? null : intOrLong(BigInt(datePartsOf(moment, zone)[part]));
  };
}

function parseDateToString(operand: BsonValue, parse: Parse): Evaluate {
  const given = argumentsOf('$dateToString', operand, ['date'], ['format', 'timezone', 'onNull']);
  const values = new Arguments(given, parse);
  return (scope) => {
    const date = values.value('date', scope);
    const format = given.has('format') ? values.value('format', scope) : '%Y-%m-%dT%H:%M:%S.%LZ';
    if (!isNullish(format)) {
      rejectUnless(typeof format === 'string', "$dateToString requires that 'format' be a string", 18533);
      assertDateFormat(format);
    }
    const zone = values.zone(scope);
    if (isNullish(date)) return given.has('onNull') ? values.value('onNull', scope) : null;
    if (zone === undefined || isNullish(format)) return null;
    return formatDate(dateOf(date), format as string, zone);
  };
}

function parseDateAdd(name: string, operand: BsonValue, parse: Parse, sign: number): Evaluate {
  const given = argumentsOf(name, operand, ['startDate', 'unit', 'amount'], ['timezone']);
  const values = new Arguments(given, parse);
  return (scope) => {
    const start = values.value('startDate', scope);
    if (isNullish(start) || values.isNull('unit', scope)) return null;
    const unit = values.unit(scope);
    const amount = values.value('amount', scope);
    if (isNullish(amount)) return null;
    const zone = values.zone(scope);
    if (zone === undefined) return null;
    const date = dateOf(start);
    const whole = wholeNumber(amount);
    rejectUnless(whole !== undefined, `${name} expects integer amount of time units`, 5166405);
    if (whole > 10n ** 15n || whole < -(10n ** 15n)) throw new Undetermined('a date that JavaScript has not');
    return addToDate(date, unit, Number(whole) * sign, zone);
  };
}

function parseDateDiff(operand: BsonValue, parse: Parse): Evaluate {
  const given = argumentsOf(
    '$dateDiff',
    operand,
    ['startDate', 'endDate', 'unit'],
    ['timezone', 'startOfWeek'],
  );
  const values = new Arguments(given, parse);
  return (scope) => {
    const start = values.value('startDate', scope);
    const end = values.value('endDate', scope);
    if (isNullish(start) || isNullish(end) || values.isNull('unit', scope)) return null;
    const unit = values.unit(scope);
    const startOfWeek = values.startOfWeek(unit, scope);
    const zone = values.zone(scope);
    if (startOfWeek === undefined || zone === undefined) return null;
    return long(BigInt(dateDifference(dateOf(start), dateOf(end), unit, zone, startOfWeek)));
  };
}

function parseDateTrunc(operand: BsonValue, parse: Parse): Evaluate {
  const optional = ['binSize', 'timezone', 'startOfWeek'];
  const given = argumentsOf('$dateTrunc', operand, ['date', 'unit'], optional);
  const values = new Arguments(given, parse);
  return (scope) => {
    const date = values.value('date', scope);
    if (isNullish(date) || optional.some((name) => name !== 'startOfWeek' && values.isNull(name, scope)))
      return null;
    if (values.isNull('unit', scope)) return null;
    const unit = values.unit(scope);
    const binSize = given.has('binSize') ? wholeNumber(values.value('binSize', scope)) : 1n;
    rejectUnless(binSize !== undefined && binSize > 0n, '$dateTrunc requires a positive whole binSize');
    const startOfWeek = values.startOfWeek(unit, scope);
    const zone = values.zone(scope);
    if (startOfWeek === undefined || zone === undefined) return null;
    if (binSize > 10n ** 11n) throw new Undetermined('a bin that is too long');
    return truncateDate(dateOf(date), unit, Number(binSize), zone, startOfWeek);
  };
}
