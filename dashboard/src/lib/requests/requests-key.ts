/** What pages with requests depend on. */
export const REQUESTS_KEY = 'tollgate:requests';
