import Type, { type TStringOptions } from 'typebox';

/** The sentence of each pattern. Validators report the pattern alone, which says nothing to a person. */
const SENTENCES = new Map<string, string>();

/**
 * A text that must match a pattern.
 * @param sentence what rejects any other text, such as "This must be an email address."
 */
export function TextOfPattern(pattern: string, sentence: string, options: TStringOptions = {}) {
  SENTENCES.set(pattern, sentence);
  return Type.String({ pattern, ...options });
}

/** Undefined for the pattern of a schema that was created otherwise. */
export function sentenceOfPattern(pattern: string): string | undefined {
  return SENTENCES.get(pattern);
}
