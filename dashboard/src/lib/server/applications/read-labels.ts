import { isLabel, LABEL_LIMITS, type Labels } from '@tollgate/contracts/applications/labels';
import type { Form } from '../form.ts';

/** A label as a member types it, `env: prod`, in the form of the API. */
export function toLabel(text: string): string {
  const colon = text.indexOf(':');
  return colon === -1 ? text.trim() : `${text.slice(0, colon).trim()}:${text.slice(colon + 1).trim()}`;
}

/** Reads the labels of a text field, one per line. Rejects the form at the first line that is not a label. */
export function readLabels(form: Form): Labels {
  const labels: Labels = {};
  const lines = form.text('labels').split(/\r?\n/);
  for (const line of lines.map((text) => text.trim()).filter((text) => text !== '')) {
    const label = toLabel(line);
    const colon = label.indexOf(':');
    const key = label.slice(0, colon);
    if (!isLabel(label)) {
      form.reject(
        'labels',
        `“${line}” is not a label. Use a key of at most ${LABEL_LIMITS.key} lowercase letters, digits, and _.-, then a colon and a value of at most ${LABEL_LIMITS.value} characters, for example env:prod.`,
      );
    } else if (Object.hasOwn(labels, key)) {
      form.reject('labels', `The key “${key}” appears more than once.`);
    }
    labels[key] = label.slice(colon + 1);
  }
  return labels;
}
