const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m;

/** Whether the changelog lists changes for the version: under "Unreleased", or under a heading with the version, as for the first release. */
export function hasChanges(changelog: string, version: string): boolean {
  return isClosed(changelog, version) || (UNRELEASED.exec(changelog)?.[1] ?? '').trim() !== '';
}

/** Moves what is unreleased under a heading of its own, unless the version has one. */
export function closeChangelog(changelog: string, version: string, today: string): string {
  if (isClosed(changelog, version)) return changelog;
  return changelog
    .replace(UNRELEASED, (_section, unreleased: string) => {
      const changes = unreleased.trim() || 'No changes.';
      return `## Unreleased\n\n## ${version} - ${today}\n\n${changes}\n\n`;
    })
    .trimEnd()
    .concat('\n');
}

function isClosed(changelog: string, version: string): boolean {
  return new RegExp(`^## ${RegExp.escape(version)}\\b`, 'm').test(changelog);
}
