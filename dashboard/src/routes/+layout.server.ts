import { TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { readTheme, THEME_COOKIE } from '#lib/theme.ts';
import type { LayoutServerLoad } from './$types';

/** Data of every page, also of error pages. */
export const load: LayoutServerLoad = ({ locals, cookies }) => ({
  docsUrl: locals.docsUrl,
  developmentInboxUrl: locals.developmentInboxUrl,
  theme: readTheme(cookies.get(THEME_COOKIE)),
  timeZone: locals.timeZone,
  isTimeZoneKnown: cookies.get(TIME_ZONE_COOKIE) !== undefined,
});
