import { ID_PATTERNS, ID_PREFIXES, type IdKind, isId } from '@tollgate/contracts/platform/ids';
import type { Field } from '#lib/list/list-data.ts';
import { type Filter, textFilter } from './filter.ts';

/** A field for a pasted id, or with the control `select` a choice whose options the load function provides. */
export function idFilter<Request extends object>(
  kind: IdKind,
  field: Omit<Field, 'control'> & { control?: 'select' },
  problem: string,
  read: (id: string) => Request,
): Filter<Partial<Request>> {
  const text = { placeholder: `${ID_PREFIXES[kind]}_…`, pattern: ID_PATTERNS[kind].source, isMono: true };
  return textFilter({ ...(field.control === undefined && text), ...field }, problem, (id) =>
    isId(kind, id) ? read(id) : null,
  );
}
