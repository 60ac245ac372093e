import { type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type ParseStage, runPipeline } from '../stage.ts';

const NOT_WITHIN_FACET = new Set(['$facet', '$out', '$merge', '$collStats', '$geoNear', '$indexStats']);

/** Several pipelines over the same documents, into one document of arrays. */
export const parseFacet: ParseStage = (operand, context, parsePipeline) => {
  if (!isDocument(operand) || operand.size === 0) {
    throw mongoError(40169, 'the $facet specification must be a non-empty object');
  }
  const facets = [...operand].map(([name, stages]) => {
    if (!Array.isArray(stages))
      throw mongoError(40170, `arguments to $facet must be arrays, ${name} is none`);
    const parsed = parsePipeline(stages, context);
    const refused = parsed.find((stage) => NOT_WITHIN_FACET.has(stage.name));
    if (refused !== undefined)
      throw mongoError(40600, `${refused.name} is not allowed to be used within a $facet stage`);
    return { name, stages: parsed };
  });
  return function* faceted(input) {
    const documents = [...input];
    const result: Document = new Map();
    for (const { name, stages } of facets) result.set(name, [...runPipeline(stages, documents)]);
    yield result;
  };
};
