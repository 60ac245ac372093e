import type { Labels } from '@tollgate/contracts/applications/labels';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';

/** Returns the labels. Throws `invalid-request` if one of them holds a card number. */
export function parseLabels(labels: Labels): Labels {
  requireNoCardNumber('/labels', Object.entries(labels).flat());
  return labels;
}
