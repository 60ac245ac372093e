const MS_PER_DAY = 86_400_000;
const DAYS_PER_WEEK = 7;
const THURSDAY = 4;

export function dayOfYear(date: Date): number {
  const newYear = new Date(date).setUTCMonth(0, 1);
  return (date.getTime() - newYear) / MS_PER_DAY + 1;
}

/** Weeks begin on Sunday. The days before the first Sunday of the year are week 0. */
export function weekOfYear(date: Date): number {
  return Math.floor((dayOfYear(date) - 1 + DAYS_PER_WEEK - date.getUTCDay()) / DAYS_PER_WEEK);
}

/** From 1 for Monday to 7 for Sunday. */
export function isoDayOfWeek(date: Date): number {
  return date.getUTCDay() || DAYS_PER_WEEK;
}

/** An ISO week belongs to the year of its Thursday. */
function thursdayOf(date: Date): Date {
  return new Date(date.getTime() + (THURSDAY - isoDayOfWeek(date)) * MS_PER_DAY);
}

export function isoWeek(date: Date): number {
  return Math.floor((dayOfYear(thursdayOf(date)) - 1) / DAYS_PER_WEEK) + 1;
}

export function isoYear(date: Date): number {
  return thursdayOf(date).getUTCFullYear();
}
