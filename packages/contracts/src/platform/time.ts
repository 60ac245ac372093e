import Type from 'typebox';
import Format from 'typebox/format';

/**
 * How the platform writes times, on the days that every month has. Nearly every time is one of these, and the whole check of the times of a
 * payment would take longer than that of all its other fields.
 */
const WRITTEN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * TypeBox's `date-time` also accepts RFC 9557 suffixes and leap seconds, which `Date` parses as NaN: an expiry that
 * passed validation would then compare as "never". Contracts only accept RFC 3339 that `Date` can parse.
 */
Format.Set(
  'date-time',
  (value) => WRITTEN.test(value) || (Format.IsDateTime(value) && !Number.isNaN(Date.parse(value))),
);

/** A point in time, RFC 3339. The platform writes UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' });

/** A point in time with its own description. */
export function TimeOf(description: string) {
  return Type.String({ format: 'date-time', description: `${description} (RFC 3339, UTC)` });
}
