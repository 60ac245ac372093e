/** How the list shows the payments, by field name in the form and in the address. Empty is the default. */
export interface ListView {
  order: '' | 'oldest';
  rows: '' | '50' | '100';
}

const DEFAULT_ROWS = 25;

export function readListView(query: URLSearchParams): ListView {
  const [order, rows] = [query.get('order'), query.get('rows')];
  return {
    order: order === 'oldest' ? order : '',
    rows: rows === '50' || rows === '100' ? rows : '',
  };
}

/** The part of the API query. */
export function viewRequest({ order, rows }: ListView): { order?: 'asc'; limit: number } {
  return { ...(order === 'oldest' && { order: 'asc' }), limit: Number(rows || DEFAULT_ROWS) };
}
