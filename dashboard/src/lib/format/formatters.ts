import { currentLocale } from './locale.ts';

/** The server has a locale and a time zone of each visitor. Beyond this number, it creates formatters again. */
const MAX_FORMATTERS = 500;

const numberFormats = new Map<string, Intl.NumberFormat>();
const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * The formatter of the current locale, or of the given one. Creating one takes longer than rendering what it formats, and a page
 * formats the same way hundreds of times.
 */
export function numberFormat(options: Intl.NumberFormatOptions = {}, locale = currentLocale()) {
  const create = () => new Intl.NumberFormat(locale, options);
  return remembered(numberFormats, locale, options, create);
}

export function dateTimeFormat(options: Intl.DateTimeFormatOptions) {
  const locale = currentLocale();
  const create = () => new Intl.DateTimeFormat(locale, options);
  return remembered(dateTimeFormats, locale, options, create);
}

function remembered<Format>(
  formats: Map<string, Format>,
  locale: string,
  options: object,
  create: () => Format,
): Format {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= MAX_FORMATTERS) formats.clear();
  const format = create();
  formats.set(key, format);
  return format;
}
