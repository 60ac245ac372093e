import { networkInterfaces } from 'node:os';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { expect, it } from 'vitest';
import { createAddressPolicy, parseNetwork } from './address-policy.ts';

const strict = createAddressPolicy({ allowPrivateInSandbox: false, liveNetworks: [] });
const open = createAddressPolicy({ allowPrivateInSandbox: true, liveNetworks: [] });

const PUBLIC = ['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001::200e', '::ffff:1.1.1.1'];
const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fd12:3456::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
];
/** Rejected everywhere, whatever is configured. */
const FORBIDDEN = [
  ...['0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.0.1', '::ffff:169.254.169.254', 'fe80::1', 'fec0::1'],
  ...[
    '224.0.0.1',
    '239.1.1.1',
    'ff02::1',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
  ],
  ...['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '::', '::127.0.0.1', '::7f00:1'],
  ...[
    '2002:7f00:1::',
    '2002:a00:1::1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '2001:0:7f00:1::1',
    '2001:db8::1',
    '100::1',
    '5f00::1',
    '4000::1',
    '::ffff:0:127.0.0.1',
  ],
  ...['', 'localhost', '2130706433', '0x7f000001', '017700000001', '127.1', '1.1.1.1 ', '::1%lo'],
];

it.each(PUBLIC)('the address policy allows the public %s in both environments', (address) => {
  expect([strict.rejectionOf(address, 'live', 443), strict.rejectionOf(address, 'sandbox', 443)]).toEqual([
    null,
    null,
  ]);
});

it.each(PRIVATE)(
  'the address policy rejects %s, except in a sandbox that allows private networks',
  (address) => {
    expect(strict.rejectionOf(address, 'live', 443)).not.toBeNull();
    expect(strict.rejectionOf(address, 'sandbox', 443)).not.toBeNull();
    expect(open.rejectionOf(address, 'live', 443)).not.toBeNull();
    expect(open.rejectionOf(address, 'sandbox', 443)).toBeNull();
  },
);

it.each(FORBIDDEN)('the address policy rejects "%s" everywhere', (address) => {
  expect(open.rejectionOf(address, 'live', 443)).not.toBeNull();
  expect(open.rejectionOf(address, 'sandbox', 443)).not.toBeNull();
});

it.each([
  ['169.254.7.7', 'link local'],
  ['100.64.0.1', 'carrier grade nat'],
  ['4000::1', 'not assigned'],
])('the address policy explains why it rejects %s', (address, words) => {
  expect(strict.rejectionOf(address, 'sandbox', 443)).toBe(`it is not a public address (${words})`);
});

it("the address policy allows an operator's networks in live only, and never link-local ones", () => {
  const policy = createAddressPolicy({
    allowPrivateInSandbox: false,
    liveNetworks: ['10.1.0.0/16', 'fd00::/16', '169.254.0.0/16'].map(parseNetwork),
  });
  expect(policy.rejectionOf('10.1.2.3', 'live', 443)).toBeNull();
  expect(policy.rejectionOf('fd00::1', 'live', 443)).toBeNull();
  expect(policy.rejectionOf('10.2.0.1', 'live', 443)).not.toBeNull();
  expect(policy.rejectionOf('10.1.2.3', 'sandbox', 443)).not.toBeNull();
  expect(policy.rejectionOf('169.254.169.254', 'live', 443)).not.toBeNull();
  expect(policy.rejectionOf('fd00:ec2::254', 'live', 443)).not.toBeNull();
});

it('the address policy rejects the ports of the platform at every address of this machine, and no others', () => {
  const policy = createAddressPolicy({
    allowPrivateInSandbox: true,
    liveNetworks: [parseNetwork('0.0.0.0/0'), parseNetwork('::/0')],
    platformPorts: [8081],
  });
  const own = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  const addresses = own.map(({ address }) => address).filter((address) => !address.startsWith('fe80:'));
  for (const address of [...addresses, '127.8.8.8', '::ffff:127.0.0.1']) {
    for (const environment of ENVIRONMENTS) {
      const reason = policy.rejectionOf(address, environment, 8081);
      expect([address, reason]).toEqual([address, 'Tollgate itself listens there']);
      expect(policy.rejectionOf(address, environment, 8082)).not.toBe(reason);
    }
  }
  expect(policy.rejectionOf('10.255.255.254', 'sandbox', 8081)).toBeNull();
});

it('the address policy fails at startup for a malformed network', () => {
  expect(() => parseNetwork('10.0.0.0/33')).toThrow('CIDR');
});
