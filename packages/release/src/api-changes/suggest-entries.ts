import { BREAKING, COMPATIBLE } from './check-changelog.ts';
import type { Difference } from './difference.ts';

/** The missing entries in Markdown, grouped so that a person can paste them and say why. */
export function suggestEntries(missing: Difference[]): string {
  const breaking = missing.filter(({ impact }) => impact === 'breaking');
  const others = missing.filter(({ impact }) => impact !== 'breaking');
  return [
    ...(breaking.length > 0 ? [`#### ${BREAKING}\n`, ...entries(breaking), ''] : []),
    ...(others.length > 0 ? [`#### ${COMPATIBLE}\n`, ...entries(others), ''] : []),
  ].join('\n');
}

interface Group {
  owners: string[];
  /** Between the owner and the last name: ` error `. */
  middle: string;
  lasts: string[];
  /** From the colon on. */
  change: string;
}

const PARTS = /^(`[^`]+`)(?:(.* )(`[^`]+`))?([^`]*: [a-z]+)$/;

/** First the same difference of several owners becomes one entry, then the names that have the same owners. */
function entries(differences: Difference[]): string[] {
  const groups = differences.map(({ sentence, impact, note }) => {
    const [, owner = '', middle = '', last = '', change = ''] = PARTS.exec(sentence) ?? [];
    const remark = [change, note, impact === 'undecided' && 'TODO: compatible or breaking?'];
    return {
      owners: [owner],
      middle,
      lasts: [last],
      change: remark.filter(Boolean).join('. ').replace('..', '.'),
    };
  });
  const byOwners = merge(groups, 'owners', ({ middle, lasts, change }) => [middle, lasts, change]);
  const merged = merge(byOwners, 'lasts', ({ owners, middle, change }) => [owners, middle, change]);
  return merged.map(({ owners, middle, lasts, change }) => {
    const text = `- ${ownersText(owners)}${middle}${lasts.join(', ')}${change}`;
    return text.endsWith('.') || text.endsWith('?') ? text : `${text}.`;
  });
}

/** More operations than a person would list become a pattern, which they may narrow. */
const MAX_LISTED = 8;

function ownersText(owners: string[]): string {
  const paths = owners.map((owner) => /^`[A-Z]+ ([^`]+)`$/.exec(owner)?.[1]);
  const [first] = paths;
  if (owners.length <= MAX_LISTED || first === undefined || paths.includes(undefined))
    return owners.join(', ');
  const end = first
    .split('')
    .findIndex((_, i) => !paths.every((path) => path?.startsWith(first.slice(0, i + 1))));
  return `\`* ${first.slice(0, end < 0 ? first.length : end)}*\``;
}

function merge(groups: Group[], list: 'owners' | 'lasts', keyOf: (group: Group) => unknown): Group[] {
  return [...Map.groupBy(groups, (group) => JSON.stringify(keyOf(group))).values()].map((same) => ({
    ...(same[0] as Group),
    [list]: [...new Set(same.flatMap((group) => group[list]))],
  }));
}
