const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m;

export function hasUnreleased(changelog: string): boolean {
  return (UNRELEASED.exec(changelog)?.[1] ?? '').trim() !== '';
}

/** Moves what is unreleased under a heading of its own. */
export function closeChangelog(changelog: string, version: string, today: string): string {
  return changelog
    .replace(UNRELEASED, (_section, unreleased: string) => {
      const changes = unreleased.trim() || 'No changes.';
      return `## Unreleased\n\n## ${version} - ${today}\n\n${changes}\n\n`;
    })
    .trimEnd()
    .concat('\n');
}
