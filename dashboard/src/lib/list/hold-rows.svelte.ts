/**
 * Rows of a live list that do not move while the member reads them (`isRead`): changed rows change in place, and new rows
 * wait. `listKey` is the address of the page: another one shows its rows at once.
 */
export function holdRows<Row extends { id: string }>(
  incoming: () => readonly Row[],
  listKey: () => string,
  isRead: () => boolean,
) {
  let shown: readonly Row[] = [];
  let shownKey = '';
  let shows = $state(0);
  let shownAt = 0;

  const held = $derived.by(() => {
    const next = incoming();
    const mayMove = !isRead() || listKey() !== shownKey || shows !== shownAt;
    shownKey = listKey();
    shownAt = shows;
    shown = mayMove ? next : inPlace(shown, next);
    return { rows: shown, waiting: mayMove ? 0 : countNew(shown, next) };
  });

  return {
    get rows() {
      return held.rows;
    },
    /** How many newer rows wait. */
    get waiting() {
      return held.waiting;
    },
    /** Shows the rows that wait. */
    show() {
      shows += 1;
    },
  };
}

/** The rows in their places, each as it is now. */
export function inPlace<Row extends { id: string }>(
  shown: readonly Row[],
  next: readonly Row[],
): readonly Row[] {
  const byId = new Map(next.map((row) => [row.id, row]));
  return shown.map((row) => byId.get(row.id) ?? row);
}

export function countNew(shown: readonly { id: string }[], next: readonly { id: string }[]): number {
  const ids = new Set(shown.map(({ id }) => id));
  return next.filter(({ id }) => !ids.has(id)).length;
}
