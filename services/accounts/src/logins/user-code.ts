import { randomInt } from 'node:crypto';

/**
 * RFC 8628 §6.1: consonants only, so that no code spells a word, and without letters that look like digits. 20 letters to
 * the power of 8 are 34 bits, which guesses within a code's lifetime cannot cover.
 */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** A random code in its stored form: eight letters. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** The stored form of a code that a person entered: the case, dashes, and spaces are ignored. */
export function normalizedUserCode(entered: string): string {
  return entered.toUpperCase().replaceAll(/[^A-Z]/g, '');
}

/** As people see it: `BCDF-GHJK`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}
