import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { readTheme, THEME_COOKIE } from '#lib/theme.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = ({ cookies }) => ({
  theme: readTheme(cookies.get(THEME_COOKIE)),
  timeZone: readTimeZone(cookies.get(TIME_ZONE_COOKIE)),
  isTimeZoneKnown: cookies.get(TIME_ZONE_COOKIE) !== undefined,
});
