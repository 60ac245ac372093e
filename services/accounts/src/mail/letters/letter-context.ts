import type { Context } from '../../context.ts';
import type { DashboardLinks } from '../../notices/dashboard-links.ts';

/** What letters are written from. */
export interface LetterContext extends Context {
  links: DashboardLinks;
}
