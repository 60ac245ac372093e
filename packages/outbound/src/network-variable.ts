import { list, port, type Variable } from '@tollgate/runtime/config';
import { type Network, parseNetwork } from './address-policy.ts';

/** Networks besides the internet that an operator allows. */
export function networks(name: string, description: string): Variable<Network[]> {
  const texts = list(name, { default: [] });
  return {
    name,
    description,
    type: 'list of CIDRs',
    fallback: [],
    parse: (value, env) => texts.parse(value, env).map(parseNetwork),
  };
}

/** Where the platform itself listens on this machine; see the address policy. */
export const platformPorts: Variable<number[]> = {
  name: 'PLATFORM_PORTS',
  description:
    'Ports of this machine to which Tollgate never sends webhooks, chat messages, and requests to identity providers. `npm start` adds its own.',
  type: 'list of ports',
  fallback: [],
  parse: (value, env) =>
    list('PLATFORM_PORTS')
      .parse(value, env)
      .map((item) => port('PLATFORM_PORTS').parse(item, env)),
};
