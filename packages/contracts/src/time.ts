import Type from 'typebox';
import Format from 'typebox/format';

/**
 * TypeBox's `date-time` also takes RFC 9557 suffixes and leap seconds, which `Date` reads as NaN: an expiry that passed
 * validation would then compare as "never". Every contract means RFC 3339 that `Date` can read.
 */
Format.Set('date-time', (value) => Format.IsDateTime(value) && !Number.isNaN(Date.parse(value)));

/** A point in time, RFC 3339. What the platform itself writes is UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' });
