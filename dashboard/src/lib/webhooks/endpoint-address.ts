import { shortenUrl } from './shorten-url.ts';

/** In the place of a URL, where nothing is known of the endpoint any more. */
export const ENDPOINT_GONE = 'Deleted endpoint';

/** Where a delivery goes, at most so long. */
export function endpointAddress(url: string | null, maxLength: number): string {
  return url === null ? ENDPOINT_GONE : shortenUrl(url, maxLength);
}
