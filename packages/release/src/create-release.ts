import { writeFileSync } from 'node:fs';
import { findObstacles } from './find-obstacles.ts';
import { type Git, gitIn } from './git.ts';
import { ReleaseFailure } from './release-failure.ts';
import { commitSubject, tagOf } from './release-names.ts';
import { releasedFiles } from './released-files.ts';

export interface Release {
  root: string;
  version: string;
  /** `YYYY-MM-DD` */
  today: string;
  /** Without it, nothing is changed. */
  write: boolean;
}

/**
 * Sets the version, closes the changelogs, stores the OpenAPI documents, commits, and tags. Returns lines that tell what was
 * done. It continues a release that was interrupted after its commit, and repeats none.
 */
export function createRelease({ root, version, today, write }: Release): string[] {
  const git = gitIn(root);
  const tag = tagOf(version);
  const isTagged = git('tag', '--list', tag) !== '';
  if (isTagged && git('rev-parse', `${tag}^{commit}`) === git('rev-parse', 'HEAD'))
    return [`${tag} is already released. ${publish(tag)}`];

  const isCommitted = git('log', '-1', '--format=%s') === commitSubject(version);
  const obstacles = findObstacles({ root, version, git, isTagged, isCommitted });
  if (obstacles.length > 0) throw new ReleaseFailure([`${tag} cannot be released:`, ...obstacles]);

  const files = isCommitted ? new Map<string, string>() : releasedFiles(root, version, today);
  if (!write) return preview(version, [...files.keys()]);
  if (!isCommitted) commit(git, root, version, files);
  git('tag', '--annotate', tag, '--message', `Tollgate ${version}`);
  return [`Created ${tag}. ${publish(tag)}`];
}

function commit(git: Git, root: string, version: string, files: Map<string, string>): void {
  for (const [path, text] of files) writeFileSync(`${root}/${path}`, text);
  git('add', '--', ...files.keys());
  git('commit', '--message', commitSubject(version));
}

function preview(version: string, paths: string[]): string[] {
  return [
    `Release ${version} would change:`,
    ...paths.map((path) => `  ${path}`),
    `It would commit "${commitSubject(version)}" and create the tag ${tagOf(version)}.`,
    `Nothing was changed. Run npm test. When it passes: npm run release -- ${version} --write`,
  ];
}

function publish(tag: string): string {
  return `To publish it: git push origin main ${tag}`;
}
