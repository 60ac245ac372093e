/// <reference lib="esnext.temporal" />
import { type BsonValue, ObjectId, Timestamp, typeName } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';
import { typeOf } from './operator.ts';

const MAX_DATE_MS = 8.64e15;
const NS_PER_MS = 1e6;
/** The cost of a lookup in the time zone database. */
const STEPS_PER_ZONE = 40;

/** A time as the clocks of a time zone show it. */
export interface ZonedDate {
  /** A date whose UTC parts are the local time. */
  readonly local: Date;
  /** How far local time is ahead of UTC. */
  readonly offsetMs: number;
}

/** The date at `ms` milliseconds since 1970. Throws where BSON's range of dates exceeds JavaScript's. */
export function dateAt(ms: number): Date {
  if (Math.abs(ms) <= MAX_DATE_MS) return new Date(ms);
  throw outOfScope('a date outside of the years -271821 to 275760');
}

/** Converts the operand of a date operator to a date. */
export function dateOf(value: BsonValue | undefined, name: string, code = 16006): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  throw mongoError(code, `${name} can't convert from BSON type ${typeOf(value)} to Date`);
}

/** Excludes dates, which Temporal accepts as time zones and which begin with a digit. */
const ZONE = /^(?:[a-z]|[+-]\d\d(?::?\d\d)?$)/i;

/** Checks a time zone: a name of the Olson database, or an offset such as `+02`, `+0200`, or `+02:00`. */
export function zoneOf(value: BsonValue = 'UTC'): string {
  if (typeof value !== 'string')
    throw mongoError(40517, `timezone must evaluate to a string, found ${typeName(value)}`);
  if (!isZone(value)) throw mongoError(40485, `unrecognized time zone identifier: "${value}"`);
  return value;
}

function isZone(name: string): boolean {
  if (name === 'UTC') return true;
  spendSteps(STEPS_PER_ZONE);
  try {
    return ZONE.test(name) && new Temporal.ZonedDateTime(0n, name) !== undefined;
  } catch {
    return false;
  }
}

export function inZone(date: Date, zone: string): ZonedDate {
  if (zone === 'UTC') return { local: date, offsetMs: 0 };
  spendSteps(STEPS_PER_ZONE);
  const ms = date.getTime();
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const offsetMs = zoned.offsetNanoseconds / NS_PER_MS;
  return { local: dateAt(ms + offsetMs), offsetMs };
}

/** The date at which the local time of a zone is `local`: the first if it repeats, a later one if it is skipped. */
export function fromLocal(local: Date, zone: string): Date {
  if (zone === 'UTC') return local;
  spendSteps(STEPS_PER_ZONE);
  const clock = Temporal.Instant.fromEpochMilliseconds(local.getTime()).toZonedDateTimeISO('UTC');
  return dateAt(clock.toPlainDateTime().toZonedDateTime(zone).epochMilliseconds);
}
