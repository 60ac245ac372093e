import type { Member } from '../members/member.ts';
import type { DashboardLinks } from '../notices/dashboard-links.ts';
import type { Team } from '../teams/team.ts';

/** What a preview is written from: the real team and the member who reads it, so that a long name shows, and made-up events. */
export interface Sample {
  team: Pick<Team, 'id' | 'name'>;
  member: Pick<Member, 'id' | 'name' | 'email'>;
  now: Date;
  links: DashboardLinks;
}

/** In place of the secret in a link. */
export const SAMPLE_TOKEN = 'sample-token';
/** Of the documentation (RFC 5737). */
export const SAMPLE_ADDRESS = '203.0.113.7';
/** As many notices as a digest combines. */
export const SAMPLE_COUNT = 4;
