import type { Form } from '#lib/server/form.ts';

/**
 * The selected deliveries of a form, each with the attempts that the member has seen. `delivery` has the ids of the selected ones, and
 * `shown` has `<id> <attempts>` of each on the page.
 */
export function selectedDeliveries(form: Form): { delivery_id: string; attempts: number }[] {
  const shown = new Map(form.all('shown').map((text) => text.split(' ', 2) as [string, string]));
  const ids = [...new Set(form.all('delivery'))];
  if (ids.length === 0) form.reject('delivery', 'Select at least one delivery.');
  return ids.map((delivery_id) => ({ delivery_id, attempts: Number(shown.get(delivery_id)) }));
}
