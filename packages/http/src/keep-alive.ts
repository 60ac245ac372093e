/**
 * How long every listener of the platform keeps an idle connection. Load balancers usually keep one for 60 s, and must close it first:
 * a request that is sent while the listener closes the connection fails.
 */
export const KEEP_ALIVE_MS = 72_000;
