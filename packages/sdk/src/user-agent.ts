/** The build replaces this text with the version of the package. */
const VERSION = 'development';

/** Names the package and the runtime, for the access logs between the application and Tollgate. Node 20 has no `navigator`. */
export const USER_AGENT = `tollgate-node/${VERSION} ${globalThis.navigator?.userAgent ?? ''}`.trim();
