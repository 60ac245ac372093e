import type { Labels } from '@tollgate/contracts/labels';
import { requireNoCardNumber } from '@tollgate/contracts/require-no-card-number';

/** Returns the labels. Throws `invalid-request` if one of them holds a card number. */
export function parseLabels(labels: Labels): Labels {
  requireNoCardNumber('/labels', Object.entries(labels).flat());
  return labels;
}
