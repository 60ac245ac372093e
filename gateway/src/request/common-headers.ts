/**
 * Headers of every response. RFC 9110 §5.6.7 and the Fetch standard: browsers must not sniff types, and no cache may store responses
 * about money.
 */
export const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
