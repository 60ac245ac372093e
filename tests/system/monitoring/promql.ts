import { parser } from '@prometheus-io/lezer-promql';

export interface Query {
  /** Whether the expression is valid. */
  isValid: boolean;
  /** The series that the query reads, with the labels that it compares. */
  selectors: { metric: string; labels: string[] }[];
  /** The labels by which it groups. */
  groupedBy: string[];
}

/** Reads the names that a query uses. */
export function readQuery(expr: string): Query {
  // Grafana replaces its variable by a duration.
  const text = expr.replaceAll('$__rate_interval', '1m');
  const query: Query = { isValid: true, selectors: [], groupedBy: [] };
  parser.parse(text).iterate({
    enter({ name, type, from, to, node }) {
      const word = text.slice(from, to);
      if (type.isError) query.isValid = false;
      else if (name === 'VectorSelector') {
        const identifier = node.getChild('Identifier');
        query.selectors.push({ metric: text.slice(identifier?.from, identifier?.to), labels: [] });
      } else if (name === 'LabelName') {
        if (node.parent?.name === 'GroupingLabels') query.groupedBy.push(word);
        else query.selectors.at(-1)?.labels.push(word);
      }
    },
  });
  return query;
}
