import { readFileSync } from 'node:fs';
import { DATABASES } from '@tollgate/contracts/databases';
import { RequestFilters } from '@tollgate/contracts/logged-request';
import { PAYMENT_LIMITS, PAYMENT_STATUSES, WAITING_FOR } from '@tollgate/contracts/payment';
import { ROLES } from '@tollgate/contracts/roles';
import { MAX_FEED_WAIT_S } from '@tollgate/contracts/rpc/webhooks';
import { SCOPES } from '@tollgate/contracts/scopes';
import { USAGE_OUTCOMES } from '@tollgate/contracts/usage';
import { describe, expect, it } from 'vitest';

const guide = (name: string) =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');

/** The first two cells of each table row that starts with code. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, first = '', second = '']) => [
    first,
    second,
  ]);
}

describe('the guides', () => {
  it('list every scope, and what it allows', () => {
    expect(rowsOf(guide('authentication'))).toEqual(
      Object.entries(SCOPES).map(([scope, { allows }]) => [scope, allows]),
    );
  });

  it('list every status of a payment, and who acts next', () => {
    expect(rowsOf(guide('payments')).map(([value]) => value)).toEqual([...PAYMENT_STATUSES, ...WAITING_FOR]);
  });

  it('list every role, every outcome of a request, and every filter of the request log', () => {
    expect(rowsOf(guide('admin-api')).map(([role]) => role)).toEqual(expect.arrayContaining([...ROLES]));
    const usage = rowsOf(guide('usage-and-requests')).map(([name]) => name);
    expect(usage).toEqual(expect.arrayContaining([...USAGE_OUTCOMES]));
    for (const filter of Object.keys(RequestFilters))
      expect(guide('usage-and-requests')).toContain(`\`${filter}\``);
  });

  it('state the limits of the admin API', () => {
    expect(guide('admin-api')).toContain(`${PAYMENT_LIMITS.bodyBytes / 1024} KiB`);
    expect(guide('admin-api')).toContain(`for an event, at most ${MAX_FEED_WAIT_S}.`);
  });

  it('name metrics that docs/operating/metrics.md lists, which is compared with what processes serve', () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../docs/operating/${name}.md`, import.meta.url), 'utf8');
    const pages = ['README', 'alerts', 'scale', 'failures', 'data-retention'];
    const named = new Set(pages.flatMap((name) => read(name).match(/tollgate_\w+/g) ?? []));
    for (const database of Object.values(DATABASES)) named.delete(database);
    expect(named.size).toBeGreaterThan(5);
    const listed = rowsOf(read('metrics')).map(([name]) => name);
    expect([...named].filter((name) => !listed.includes(name))).toEqual([]);
  });
});
