/** The rows of a submitted form whose fields are numbered, such as `currency_0`, `amount_0`, and `currency_1`. */
export function numberedRows<Field extends string>(
  values: Record<string, string>,
  fields: readonly Field[],
): Record<Field, string>[] {
  const rows: Record<Field, string>[] = [];
  for (let index = 0; `${fields[0]}_${index}` in values; index += 1) {
    const row = fields.map((field) => [field, (values[`${field}_${index}`] ?? '').trim()]);
    rows.push(Object.fromEntries(row));
  }
  return rows;
}
