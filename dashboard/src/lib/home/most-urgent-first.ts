import type { AttentionItem } from './home-view.ts';

/** What fails now comes before what will, each in the given order. */
export function mostUrgentFirst(items: readonly AttentionItem[]): AttentionItem[] {
  return items.toSorted((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}
