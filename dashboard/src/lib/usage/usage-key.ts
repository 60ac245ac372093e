/** What a page that shows usage depends on: it is loaded again while requests come in. */
export const USAGE_KEY = 'tollgate:usage';
