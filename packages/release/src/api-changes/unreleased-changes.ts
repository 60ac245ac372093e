/** An item of a list in the "Unreleased" section. */
export interface Entry {
  text: string;
  /** The headings above it: `Public API`, `Breaking`. */
  api: string;
  group: string;
}

const UNRELEASED = /^## Unreleased$([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/** The entries of the "Unreleased" section of the API changelog. */
export function unreleasedEntries(changelog: string): Entry[] {
  const section = UNRELEASED.exec(changelog)?.[1];
  if (section === undefined) throw new Error('The API changelog has no section "## Unreleased".');
  const entries: Entry[] = [];
  let [api, group] = ['', ''];
  for (const line of section.split('\n')) {
    const [, level, heading = ''] = /^(#{3,4}) (.+)$/.exec(line) ?? [];
    const last = entries.at(-1);
    if (level === '###') [api, group] = [heading, ''];
    else if (level === '####') group = heading;
    else if (line.startsWith('- ')) entries.push({ text: line.slice(2), api, group });
    // A long entry continues on indented lines.
    else if (/^ +\S/.test(line) && last) last.text += ` ${line.trim()}`;
  }
  return entries;
}
