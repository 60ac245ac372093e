import { list, type Variable } from '@tollgate/runtime/config';
import { type Network, parseNetwork } from './address-policy.ts';

/** Networks besides the internet that an operator allows. */
export function networks(name: string, description: string): Variable<Network[]> {
  const texts = list(name, { default: [] });
  return {
    name,
    description,
    type: 'CIDRs, separated by commas',
    fallback: [],
    parse: (value, env) => texts.parse(value, env).map(parseNetwork),
  };
}
