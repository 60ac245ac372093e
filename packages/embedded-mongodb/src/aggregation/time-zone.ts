import { mongoError } from '../bson/mongo-error.ts';

const MS_PER_MINUTE = 60_000;
const OFFSET = /^([+-])(\d\d):?(\d\d)?$/;
/** What Intl writes of an offset: `GMT`, `GMT+01:00`; with seconds for the local times of old. */
const INTL_OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** More than there are zones: names in other spellings must not fill the memory. */
const MAX_FORMATTERS = 1000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * How far a time zone is from UTC at that time, in ms. `zone` is `UTC`, an offset such as `+02:00`, or a
 * name of the Olson database. Throws MongoDB's error on a zone that there is not.
 */
export function timeZoneOffsetMs(zone: string, at: Date): number {
  if (zone === 'UTC' || zone === 'GMT' || zone === 'Z') return 0;
  const offset = OFFSET.exec(zone);
  if (offset !== null)
    return signed(offset[1], Number(offset[2]) * 60 + Number(offset[3] ?? 0)) * MS_PER_MINUTE;
  const written = formatterOf(zone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const parts = INTL_OFFSET.exec(written ?? '');
  if (parts === null) throw new Error(`the offset of ${zone} reads '${written}'`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts;
  return signed(sign, Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) * MS_PER_MINUTE;
}

function signed(sign: string | undefined, minutes: number): number {
  return sign === '-' ? -minutes : minutes;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(zone, made);
    return made;
  } catch {
    throw mongoError(40485, `unrecognized time zone identifier: "${zone}"`);
  }
}
