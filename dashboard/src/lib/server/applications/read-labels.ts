import { isLabel, LABEL_LIMITS, type Labels } from '@tollgate/contracts/applications/labels';
import type { Form } from '../form.ts';

/** A label as a member types it, `env: prod`, in the form of the API. */
export function toLabel(text: string): string {
  const colon = text.indexOf(':');
  return colon === -1 ? text.trim() : `${text.slice(0, colon).trim()}:${text.slice(colon + 1).trim()}`;
}

/** Reads the labels of a text field, one per line. The error names the first line that is not a label. */
export function readLabels(text: string): { labels: Labels; error: string | null } {
  const labels: Labels = {};
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const label = toLabel(line);
    if (!isLabel(label)) {
      return {
        labels,
        error: `“${line.trim()}” is not a label. Use a key of at most ${LABEL_LIMITS.key} lowercase letters, digits, and _.-, then a colon and a value of at most ${LABEL_LIMITS.value} characters, for example env:prod.`,
      };
    }
    const colon = label.indexOf(':');
    const key = label.slice(0, colon);
    if (Object.hasOwn(labels, key)) return { labels, error: `The key “${key}” appears more than once.` };
    labels[key] = label.slice(colon + 1);
  }
  return { labels, error: null };
}

/** The labels of a form. Rejects it when a line is not a label. */
export function readLabelsField(form: Form): Labels {
  const { labels, error } = readLabels(form.text('labels'));
  if (error !== null) form.reject('labels', error);
  return labels;
}
