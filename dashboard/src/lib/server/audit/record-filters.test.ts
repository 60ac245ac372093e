import { describe, expect, it } from 'vitest';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { activeRecordFilters, parseRecordFilters, RECORD_FILTER_NAMES } from './record-filters.ts';

const APPLICATION = 'app_01kf0fj3s0ec7s9q7v0h5x2m4q';
const KEY = 'key_01kf0fj3s0ec7s9q7v0h5x2m4q';

const typed = (query: string) => readTyped(RECORD_FILTER_NAMES, new URLSearchParams(query));
const parse = (query: string) => parseRecordFilters(typed(query), 'Europe/Berlin');

describe('the filters of the audit log', () => {
  it("query the selected values, with days in the viewer's time zone", () => {
    expect(
      parse(
        `search=grace&actor=member&action=key.created&target=key&application=${APPLICATION}&environment=live&from=2026-11-20&to=2026-11-20`,
      ),
    ).toEqual({
      request: {
        search: 'grace',
        actor_type: 'member',
        action: 'key.created',
        target_type: 'key',
        application_id: APPLICATION,
        environment: 'live',
        occurred_from: '2026-11-19T23:00:00.000Z',
        occurred_to: '2026-11-20T23:00:00.000Z',
      },
      errors: {},
    });
  });

  it('the filters of the audit log accept the id of one actor or target', () => {
    expect(parse(`actor=${KEY}&target=${APPLICATION}`).request).toEqual({
      actor_id: KEY,
      target_id: APPLICATION,
    });
  });

  it('the filters of the audit log report errors beside each field', () => {
    const { request, errors } = parse(
      `search=${'x'.repeat(129)}&actor=${'x'.repeat(65)}&action=key&target=${'x'.repeat(65)}&application=x&environment=test&from=2026-02-31`,
    );
    expect(request).toEqual({});
    expect(Object.keys(errors).toSorted()).toEqual(
      ['action', 'actor', 'application', 'environment', 'from', 'search', 'target'].toSorted(),
    );
  });

  it('the filters of the audit log show the selected labels, and can be removed one by one', () => {
    const none = new Map<string, string>();
    const labels = {
      actor: new Map([['member', 'Any member']]),
      action: none,
      target: none,
      application: none,
      environment: none,
    };
    expect(activeRecordFilters(typed(`actor=member&target=${KEY}`), labels)).toEqual([
      { label: 'Actor', value: 'Any member', hrefWithout: `/audit?target=${KEY}` },
      { label: 'Target', value: KEY, hrefWithout: '/audit?actor=member' },
    ]);
  });
});
