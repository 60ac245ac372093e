import { describe, expect, it } from 'vitest';
import { loadedList } from '../list/loaded-list.ts';
import { readFilters } from '../list/read-filters.ts';
import { actorOptions, RECORD_FILTERS } from './record-filters.ts';

const APPLICATION = 'app_01kf0fj3s0ec7s9q7v0h5x2m4q';
const KEY = 'key_01kf0fj3s0ec7s9q7v0h5x2m4q';

const read = (query: string) => readFilters(RECORD_FILTERS, new URLSearchParams(query), 'Europe/Berlin');

describe('the filters of the audit log', () => {
  it("query the selected values, with days in the viewer's time zone", () => {
    expect(
      read(
        `search=grace&actor=member&action=key.created&target=key&application=${APPLICATION}&environment=live&from=2026-11-20&to=2026-11-20`,
      ),
    ).toMatchObject({
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
    expect(read(`actor=${KEY}&target=${APPLICATION}`).request).toEqual({
      actor_id: KEY,
      target_id: APPLICATION,
    });
  });

  it('the filters of the audit log report errors beside each field', () => {
    const { request, errors } = read(
      `search=${'x'.repeat(129)}&actor=${'x'.repeat(65)}&action=key&target=${'x'.repeat(65)}&application=x&environment=test&from=2026-02-31`,
    );
    expect(request).toEqual({});
    expect(Object.keys(errors).toSorted()).toEqual(
      ['action', 'actor', 'application', 'environment', 'from', 'search', 'target'].toSorted(),
    );
  });

  it('the filters of the audit log show the selected labels, and can be removed one by one', async () => {
    const options = { actor: Promise.resolve(actorOptions([])) };
    const { chips } = await loadedList(`/audit?actor=member&target=${KEY}`, RECORD_FILTERS, options);
    expect(chips).toEqual([
      { label: 'Actor', value: 'Any member', hrefWithout: `/audit?target=${KEY}` },
      { label: 'Target', value: KEY, hrefWithout: '/audit?actor=member' },
    ]);
  });
});
