import { rejectUnless } from './rejected.ts';

/**
 * PCRE's expression as JavaScript's, for the constructs that the generator uses: literals, classes, groups,
 * quantifiers and anchors. They differ in `$`, which PCRE also matches before a last line feed, and in `.`, which in
 * PCRE excludes the line feed only.
 */
export function toRegExp(pattern: string, options: string): RegExp {
  rejectUnless(/^[imsxu]*$/.test(options), 'invalid flag in regex options', 51108);
  const isMultiline = options.includes('m');
  const visible = options.includes('x') ? pattern.replace(/\s|#.*$/gm, '') : pattern;
  const source = visible.replace(/\\.|\[[^\]]*\]|[$^.]/g, (part) => {
    if (part === '$') return isMultiline ? '(?=\\n|$)' : '(?=\\n?$)';
    if (part === '^') return isMultiline ? '(?<=\\n|^)' : '^';
    if (part === '.') return options.includes('s') ? '[^]' : '[^\\n]';
    return part;
  });
  try {
    return new RegExp(source, options.includes('i') ? 'iu' : 'u');
  } catch {
    rejectUnless(false, 'Regular expression is invalid', 51091);
    throw new Error('unreachable');
  }
}
