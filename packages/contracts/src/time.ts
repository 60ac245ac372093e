import Type from 'typebox';
import Format from 'typebox/format';

/**
 * TypeBox's `date-time` also accepts RFC 9557 suffixes and leap seconds, which `Date` parses as NaN: an expiry that
 * passed validation would then compare as "never". Contracts only accept RFC 3339 that `Date` can parse.
 */
Format.Set('date-time', (value) => Format.IsDateTime(value) && !Number.isNaN(Date.parse(value)));

/** A point in time, RFC 3339. The platform writes UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' });

/** A point in time with its own description. */
export function TimeOf(description: string) {
  return Type.String({ format: 'date-time', description: `${description} (RFC 3339, UTC)` });
}
