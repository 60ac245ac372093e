import { shortenUrl } from './shorten-url.ts';

/** Shown instead of a URL when the endpoint is unknown. */
export const DELETED_ENDPOINT = 'Deleted endpoint';

/** The URL of a delivery's endpoint, shortened to `maxLength`. */
export function endpointAddress(url: string | null, maxLength: number): string {
  return url === null ? DELETED_ENDPOINT : shortenUrl(url, maxLength);
}
