import { list, type Variable } from '@tollgate/runtime/config';
import { parseAddressRanges } from './address-ranges.ts';

/** A list of networks in CIDR notation. Empty by default. */
export function cidrs(name: string, description: string): Variable<string[]> {
  const words = list(name);
  return {
    name,
    description,
    type: 'list of CIDRs',
    fallback: [],
    parse(value, env) {
      const found = words.parse(value, env);
      try {
        parseAddressRanges(found);
      } catch (error) {
        throw new Error(`must be a list of CIDRs, separated by commas: ${(error as Error).message}`);
      }
      return found;
    },
  };
}
