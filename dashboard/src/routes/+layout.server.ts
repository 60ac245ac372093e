import type { LayoutServerLoad } from './$types';

/** Data of every page, also of error pages. */
export const load: LayoutServerLoad = ({ locals }) => ({
  docsUrl: locals.docsUrl,
  developmentInboxUrl: locals.developmentInboxUrl,
});
