/** A term of the glossary, and the ones that it replaces. */
export interface Term {
  write: string;
  not: RegExp;
}

/**
 * Reads the table "write | not" of README.md, so that the linter and the readers share one list.
 * A term with a qualifier in parentheses, such as "created (of resources)", is wrong in one sense only and is left to reviewers.
 */
export function readGlossary(markdown: string): Term[] {
  const rows = markdown.split(/^\| write \| not \|$/m)[1]?.matchAll(/^\| (.+) \| (.+) \|$/gm);
  if (rows === undefined) throw new Error('README.md has no table with the header "| write | not |"');
  return [...rows].flatMap(([, write = '', not = '']) =>
    splitTerms(not)
      .filter((term) => !term.includes('('))
      .map((term) => ({ write, not: termPattern(term) })),
  );
}

function splitTerms(cell: string): string[] {
  return cell
    .split(/[,;]/)
    .map((term) => term.replace('…', '').trim())
    .filter((term) => term !== '');
}

/** One word matches with its endings. A phrase matches as written, also across the lines of a comment. */
function termPattern(term: string): RegExp {
  const words = term.split(' ');
  const pattern = words.length === 1 ? withEndings(term) : words.join('[\\s*/]+');
  return new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'gi');
}

function withEndings(word: string): string {
  return word.endsWith('e') ? `${word.slice(0, -1)}(?:e|es|ed|ing)` : `${word}(?:s|ed|ing)?`;
}
