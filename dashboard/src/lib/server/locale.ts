import { AsyncLocalStorage } from 'node:async_hooks';
import { DEFAULT_LOCALE } from '#lib/format/locale.ts';

const storage = new AsyncLocalStorage<string>();

export function runInLocale<Result>(locale: string, run: () => Result): Result {
  return storage.run(locale, run);
}

/** The locale of the request that is being handled. */
export function requestLocale(): string {
  return storage.getStore() ?? DEFAULT_LOCALE;
}

/** Further languages are ignored. */
const MAX_LANGUAGES = 10;

/**
 * The preferred locale of an Accept-Language header (RFC 9110 §12.5.4) that this server has data for. Always with Latin
 * digits and the Gregorian calendar, which the API, exports, and bank statements use, too.
 */
export function preferredLocale(acceptLanguage: string | null): string {
  const languages = (acceptLanguage ?? '').split(',').slice(0, MAX_LANGUAGES).map(readLanguage);
  const best = languages
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => supportedLocale(tag))
    .find((locale) => locale !== null);
  return best ?? DEFAULT_LOCALE;
}

function readLanguage(entry: string): { tag: string; quality: number } {
  const [tag = '', weight] = entry.split(';').map((part) => part.trim());
  const quality = weight === undefined ? 1 : Number(/^q=(\d(?:\.\d{1,3})?)$/.exec(weight)?.[1] ?? 0);
  return { tag, quality };
}

function supportedLocale(tag: string): string | null {
  try {
    const { baseName } = new Intl.Locale(tag);
    if (Intl.DateTimeFormat.supportedLocalesOf(baseName).length === 0) return null;
    return new Intl.Locale(baseName, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
  } catch {
    return null;
  }
}
