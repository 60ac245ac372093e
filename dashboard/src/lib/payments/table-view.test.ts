import { expect, it } from 'vitest';
import { DEFAULT_TABLE_VIEW, readTableView, writeTableView } from './table-view.ts';

it('the table view is the default without a cookie', () => {
  expect(readTableView(undefined)).toEqual(DEFAULT_TABLE_VIEW);
});

it('the table view is read as it was written, in the order of the table', () => {
  const view = { isCompact: true, columns: ['created', 'id'] as const };
  expect(readTableView(writeTableView(view))).toEqual({ isCompact: true, columns: ['id', 'created'] });
});

it('the table view can have no column but amount and status', () => {
  const bare = { isCompact: false, columns: [] };
  expect(readTableView(writeTableView(bare))).toEqual(bare);
});

it('the table view ignores what it does not know', () => {
  expect(readTableView('roomy.reference.fees')).toEqual({ isCompact: false, columns: ['reference'] });
});
