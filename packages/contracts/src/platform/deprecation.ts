/** States when a route was deprecated, when it stops working, and where a page describes what replaces it. */
export interface Deprecation {
  since: Date;
  sunset: Date;
  link: URL;
}

const NOTICE_YEARS = 1;

/** Declares a deprecated route. Throws RangeError if callers get less than 12 months of notice. */
export function deprecation(dates: { since: string; sunset: string; link: string }): Deprecation {
  const [since, sunset] = [new Date(dates.since), new Date(dates.sunset)];
  const earliest = new Date(since);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + NOTICE_YEARS);
  // Written so that an invalid date, which compares false with everything, is rejected too.
  if (!(sunset >= earliest)) {
    throw new RangeError(
      `A route must work for 12 months after its deprecation: ${dates.since} to ${dates.sunset}.`,
    );
  }
  return { since, sunset, link: new URL(dates.link) };
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to the page that describes the replacement. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link.href}>; rel="deprecation"; type="text/html"`,
  };
}
