import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import { SCOPES } from '@tollgate/contracts/applications/scopes';
import { PAYMENT_STATUSES, WAITING_FOR } from '@tollgate/contracts/payments/payment';
import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { ROLES } from '@tollgate/contracts/platform/roles';
import { RequestFilters } from '@tollgate/contracts/usage/logged-request';
import { USAGE_OUTCOMES } from '@tollgate/contracts/usage/usage';
import { MAX_FEED_WAIT_S } from '@tollgate/contracts/webhooks/rpc';
import { processingMsOf } from '@tollgate/payments/processors/sandbox/sandbox-processor';
import { describe, expect, it } from 'vitest';

const read = (page: string) => readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
const guide = (name: string) => read(`guides/${name}`);
const operating = (name: string) => read(`operating/${name}`);

/** The first two cells of each table row that starts with code. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, first = '', second = '']) => [
    first,
    second,
  ]);
}

describe('the guides', () => {
  it('the guides list every scope, and what it allows', () => {
    expect(rowsOf(guide('authentication'))).toEqual(
      Object.entries(SCOPES).map(([scope, { allows }]) => [scope, allows]),
    );
  });

  it('the guides state the rate limits of a new application', () => {
    for (const environment of ENVIRONMENTS) {
      const { requests_per_second, burst } = DEFAULT_LIMITS[environment];
      expect(guide('authentication')).toContain(`| ${environment} | ${requests_per_second} | ${burst} |`);
    }
  });

  it('the guides state how long payments of the sandbox take, with the default that the configuration has', () => {
    const [, delay = ''] =
      /`SANDBOX_SETTLEMENT_DELAY` \(duration; `(\d+)s`\)/.exec(operating('configuration')) ?? [];
    const seconds = (method: string) => Number(delay) + processingMsOf(method) / 1_000;
    expect(guide('sandbox')).toContain(`after the creation, ${delay} s by default`);
    expect(guide('sandbox')).toContain(`\`pm_succeed\` takes ${seconds('pm_succeed')} s`);
    expect(guide('sandbox')).toContain(
      `\`pm_fail_after_processing\` ${seconds('pm_fail_after_processing')} s`,
    );
  });

  it('the guides list every status of a payment, and who acts next', () => {
    expect(rowsOf(guide('payments')).map(([value]) => value)).toEqual([...PAYMENT_STATUSES, ...WAITING_FOR]);
  });

  it('the guides list every role, every outcome of a request, and every filter of the request log', () => {
    expect(rowsOf(guide('admin-api')).map(([role]) => role)).toEqual(expect.arrayContaining([...ROLES]));
    const usage = rowsOf(guide('usage-and-requests')).map(([name]) => name);
    expect(usage).toEqual(expect.arrayContaining([...USAGE_OUTCOMES]));
    for (const filter of Object.keys(RequestFilters))
      expect(guide('usage-and-requests')).toContain(`\`${filter}\``);
  });

  it('the guides state the limits of the admin API', () => {
    expect(guide('admin-api')).toContain(`${BODY_LIMITS.payments / 1024} KiB`);
    expect(guide('admin-api')).toContain(`for an event, at most ${MAX_FEED_WAIT_S}.`);
  });

  it('name metrics that docs/operating/metrics.md lists, which is compared with what processes serve', () => {
    const pages = ['README', 'alerts', 'scale', 'failures', 'data-retention'];
    const named = new Set(pages.flatMap((name) => operating(name).match(/tollgate_\w+/g) ?? []));
    for (const database of Object.values(DATABASES)) named.delete(database);
    expect(named.size).toBeGreaterThan(5);
    const listed = [...operating('metrics').matchAll(/^- `(\w+)`/gm)].map(([, name = '']) => name);
    expect([...named].filter((name) => !listed.includes(name))).toEqual([]);
  });
});
