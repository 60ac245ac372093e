import type { Document } from '../bson/document.ts';
import { notImplemented } from '../bson/mongo-error.ts';
import { truthOf } from '../semantics/truth.ts';

/** Compiles a projection of whole top-level fields. */
export function compileProject(spec: Document): (document: Document) => Document {
  const wanted = [...spec].filter(([name]) => name !== '_id');
  for (const [name, value] of spec) {
    if (name.includes('.') || name.includes('$') || value instanceof Map || typeof value === 'string') {
      throw notImplemented(`the projection of '${name}'`);
    }
  }
  const includes = wanted.length > 0 ? truthOf(wanted[0]?.[1]) : truthOf(spec.get('_id'));
  if (wanted.some(([, value]) => truthOf(value) !== includes)) throw notImplemented('a mixed projection');
  const id = spec.get('_id');
  const keepsId = id === undefined ? true : truthOf(id);
  return (document) => {
    const result: Document = new Map();
    for (const [name, value] of document) {
      if (name === '_id' ? keepsId : spec.has(name) === includes) result.set(name, value);
    }
    return result;
  };
}
