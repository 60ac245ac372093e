/**
 * Nested documents that are about to be written again, with the fields of the stored ones that only a later release
 * knows: during a rolling upgrade or after a rollback, an update must not drop them. `key` identifies a nested document.
 */
export function keepUnknownFields<Nested extends object>(
  stored: readonly Nested[],
  changed: readonly Nested[],
  key: keyof Nested,
): Nested[] {
  const byKey = new Map(stored.map((nested) => [nested[key], nested]));
  return changed.map((nested) => ({ ...byKey.get(nested[key]), ...nested }));
}
