import { DEFAULT_LOCALE, provideLocale } from '#lib/format/locale.ts';

provideLocale(() => document.documentElement.dataset['locale'] ?? DEFAULT_LOCALE);
