import { readFileSync } from 'node:fs';
import { APIS, currentDocument, releasedDocument } from './api-documents.ts';
import { type ChangelogProblems, checkChangelog } from './check-changelog.ts';
import { compareDocuments } from './compare-documents.ts';
import { unreleasedEntries } from './unreleased-changes.ts';

export const API_CHANGELOG = 'docs/api-changelog.md';

/** Compares the API changelog with the differences between the documents of the last release and the current ones. */
export function checkApis(root: string): ({ title: string } & ChangelogProblems)[] {
  const entries = unreleasedEntries(readFileSync(`${root}/${API_CHANGELOG}`, 'utf8'));
  const titles = APIS.map(({ title }) => title);
  const misplaced = entries.filter(({ api }) => !titles.includes(api));
  if (misplaced.length > 0)
    throw new Error(
      `Not under ${titles.map((title) => `"### ${title}"`).join(' or ')}: ${misplaced[0]?.text}`,
    );
  return APIS.map((api) => ({
    title: api.title,
    ...checkChangelog(
      entries.filter((entry) => entry.api === api.title),
      compareDocuments(releasedDocument(root, api), currentDocument(api)),
    ),
  }));
}
