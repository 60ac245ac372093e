import { rejectUnknownPage } from '#lib/server/unknown-page.ts';
import type { PageServerLoad } from './$types';

/** Every path without a page. As a page of the app, it keeps the navigation. */
export const load: PageServerLoad = () => rejectUnknownPage();
