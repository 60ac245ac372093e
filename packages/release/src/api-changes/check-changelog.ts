import { names, sentencesOf } from './changelog-entry.ts';
import type { Difference } from './difference.ts';
import type { Entry } from './unreleased-changes.ts';

export const BREAKING = 'Breaking';
export const COMPATIBLE = 'Compatible';

export interface ChangelogProblems {
  /** Differences that no entry names, or that are breaking and stand elsewhere. */
  missing: Difference[];
  /** Entries that cannot be right, each with the reason. */
  wrong: string[];
}

/** Compares the entries of one API with its differences since the last release. */
export function checkChangelog(entries: Entry[], differences: Difference[]): ChangelogProblems {
  const named: { sentence: string; group: string }[] = [];
  const wrong: string[] = [];
  for (const { text, group } of entries) {
    if (group !== BREAKING && group !== COMPATIBLE)
      wrong.push(`Not under "${BREAKING}" or "${COMPATIBLE}": ${text}`);
    // Other entries describe behavior, which a document does not show.
    if (!text.startsWith('`')) continue;
    const sentences = sentencesOf(text);
    if (sentences === null) wrong.push(`Names no difference in the form "\`name\` …: change": ${text}`);
    for (const sentence of sentences ?? []) {
      named.push({ sentence, group });
      if (!differences.some((difference) => names(sentence, difference.sentence)))
        wrong.push(`Not a difference since the last release: ${sentence}`);
    }
  }
  const missing = differences.filter(
    (difference) =>
      !named.some(
        ({ sentence, group }) =>
          names(sentence, difference.sentence) && (difference.impact !== 'breaking' || group === BREAKING),
      ),
  );
  return { missing, wrong };
}
