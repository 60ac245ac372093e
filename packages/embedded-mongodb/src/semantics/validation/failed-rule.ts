import { type BsonValue, type Document, documentOf, typeName } from '../../bson/document.ts';

/** One rule that a value breaks, as in mongod's `errInfo.details`. */
export function failedRule(
  operatorName: string,
  specifiedAs: Document,
  reason: string,
  considered: BsonValue | undefined,
): Document {
  const rule = documentOf({ operatorName, specifiedAs, reason });
  if (considered === undefined) return rule;
  rule.set('consideredValue', considered);
  if (TYPE_DECIDES.has(operatorName)) rule.set('consideredType', typeName(considered));
  return rule;
}

const TYPE_DECIDES = new Set(['$type', 'bsonType', 'type']);
