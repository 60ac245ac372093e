/** Dependency key of loads that show usage: the page invalidates it periodically. */
export const USAGE_KEY = 'tollgate:usage';
