/** The locale of clients that name no language. */
export const DEFAULT_LOCALE = 'en-GB';

let readLocale = () => DEFAULT_LOCALE;

/**
 * The locale of numbers, currencies, and dates; the texts are English in every locale. The browser reads it from the
 * page that the server rendered, so that hydration changes nothing.
 */
export function currentLocale(): string {
  return readLocale();
}

/** Called once when the server or the browser starts: only the server has many locales at the same time. */
export function provideLocale(read: () => string): void {
  readLocale = read;
}
