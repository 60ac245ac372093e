import { type Finding, ok, problem } from './finding.ts';

/** Date of the latest advisory in the table. Later ones are not known. */
export const LATEST_ADVISORY = '2026-06-29';

export type Product = keyof typeof FIXED_VERSIONS;

/**
 * The first version without a known vulnerability, of each release line. Earlier lines get no fixes, and later ones contain them.
 * When you update a product, update `LATEST_ADVISORY`, too.
 */
const FIXED_VERSIONS = {
  Node: {
    lines: ['22.23.0', '24.17.0', '26.3.1'],
    lineParts: 1,
    advisory: 'https://nodejs.org/en/blog/vulnerability/june-2026-security-releases',
  },
  'nats-server': {
    lines: ['2.11.16', '2.12.7', '2.14.0'],
    lineParts: 2,
    advisory: 'https://advisories.nats.io/CVE/secnote-2026-18.txt',
  },
  MongoDB: {
    lines: ['7.0.34', '8.0.23', '8.2.9', '8.3.2'],
    lineParts: 2,
    advisory: 'https://www.cve.org/CVERecord?id=CVE-2026-8053',
  },
} as const;

/** Compares the version with the table. A version of a line that the table does not have is judged by its number alone. */
export function checkVersion(product: Product, version: string): Finding {
  const { lines, lineParts, advisory } = FIXED_VERSIONS[product];
  const lineOf = (text: string) => text.split('.').slice(0, lineParts).join('.');
  const fixed = lines.find((line) => lineOf(line) === lineOf(version)) ?? lines[lines.length - 1] ?? '';
  if (compareVersions(version, fixed) >= 0) {
    return ok(
      'versions',
      product,
      `${version} has no vulnerability of an advisory until ${LATEST_ADVISORY}.`,
    );
  }
  return problem(
    'versions',
    product,
    `${version} has known vulnerabilities: ${advisory}`,
    `Update it to ${fixed} or later.`,
  );
}

function compareVersions(left: string, right: string): number {
  const [these, others] = [left, right].map((text) => text.replace(/-.*/, '').split('.').map(Number));
  for (const [index, other] of (others ?? []).entries()) {
    const difference = (these?.[index] ?? 0) - other;
    if (difference !== 0) return difference;
  }
  return 0;
}
