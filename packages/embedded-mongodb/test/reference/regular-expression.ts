/**
 * Converts a PCRE pattern to a JavaScript one, for the constructs that the generator uses: literals, classes,
 * quantifiers, and anchors. In PCRE, `$` also matches before a final line feed, and `.` excludes only the line feed.
 */
export function toRegExp(pattern: string, options: string): RegExp {
  const source = pattern.replace(/\\.|\[[^\]]*\]|[$.]/g, (part) => {
    if (part === '$') return '(?=\\n?$)';
    return part === '.' ? '[^\\n]' : part;
  });
  return new RegExp(source, options.includes('i') ? 'iu' : 'u');
}
