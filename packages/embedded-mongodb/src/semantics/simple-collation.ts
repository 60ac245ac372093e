import type { BsonValue } from '../bson/document.ts';

/** Whether the `collation` is the byte order of UTF-8, the only one in scope: absent, `{}`, or `{locale: 'simple'}`. */
export function isSimpleCollation(collation: BsonValue | undefined): boolean {
  if (collation === undefined || collation === null) return true;
  if (!(collation instanceof Map)) return false;
  return collation.size === 0 || (collation.size === 1 && collation.get('locale') === 'simple');
}
