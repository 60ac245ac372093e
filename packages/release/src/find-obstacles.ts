import { readFileSync } from 'node:fs';
import { checkApis } from './api-changes/check-apis.ts';
import { hasChanges } from './close-changelog.ts';
import type { Git } from './git.ts';
import { isHigher, isVersion } from './version-order.ts';

interface State {
  root: string;
  version: string;
  git: Git;
  isTagged: boolean;
  isCommitted: boolean;
}

/** Everything that is in the way of the release, so that one run shows all of it. */
export function findObstacles({ root, version, git, isTagged, isCommitted }: State): string[] {
  if (!isVersion(version)) return [`"${version}" is not a version such as 1.2.3.`];
  const obstacles: string[] = [];
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') obstacles.push(`The branch is ${branch}. Switch to main.`);
  if (git('status', '--porcelain') !== '')
    obstacles.push('The working tree has uncommitted changes. Commit or restore them.');
  if (isTagged) obstacles.push(`The tag v${version} exists on another commit. Choose a higher version.`);
  const released = git('tag', '--list', 'v*')
    .split('\n')
    .map((tag) => tag.slice(1));
  const higher = released.find((other) => isVersion(other) && isHigher(other, version));
  if (higher) obstacles.push(`${higher} is already released. Choose a higher version.`);
  if (!isCommitted) obstacles.push(...changelogObstacles(root, version));
  return obstacles;
}

function changelogObstacles(root: string, version: string): string[] {
  const obstacles: string[] = [];
  if (!hasChanges(readFileSync(`${root}/CHANGELOG.md`, 'utf8'), version))
    obstacles.push(`CHANGELOG.md lists nothing under "Unreleased" or ${version}.`);
  if (checkApis(root).some(({ missing, wrong }) => missing.length + wrong.length > 0))
    obstacles.push('docs/api-changelog.md does not match the API. Run npm run api-changes.');
  return obstacles;
}
