/**
 * Condition on a field that contains this text, in any case. No index finds it, but the index that a list walks in the
 * order of its ids bounds the walk to one team or one application.
 */
export function containsText(text: string): { $regex: string; $options: 'i' } {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
}
