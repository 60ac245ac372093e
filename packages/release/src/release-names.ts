export function tagOf(version: string): string {
  return `v${version}`;
}

export function commitSubject(version: string): string {
  return `chore(release): release ${version}`;
}
