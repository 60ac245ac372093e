import { rejectUnless } from './rejected.ts';

/**
 * Converts a PCRE pattern to a JavaScript one, for the constructs that the generator uses: literals, classes, groups,
 * quantifiers, and anchors. In PCRE, `$` also matches before a final line feed, and `.` excludes only the line feed.
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
