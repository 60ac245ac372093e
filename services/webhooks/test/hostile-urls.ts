/** Writings of addresses that are not the internet's. `{port}` is a canary's: anyone who connects is counted. */
const LOOPBACK_WRITINGS = [
  'http://127.0.0.1:{port}/',
  'http://127.1:{port}/',
  'http://127.0.1:{port}/',
  'http://2130706433:{port}/',
  'http://017700000001:{port}/',
  'http://0x7f000001:{port}/',
  'http://0x7f.0x0.0x0.0x1:{port}/',
  'http://0177.0.0.1:{port}/',
  'http://0177.0x0.0.1:{port}/',
  'http://127.0.0.1.:{port}/',
  'http://127.127.127.127:{port}/',
  'http://%31%32%37.0.0.1:{port}/',
  'http://①②⑦.⓪.⓪.①:{port}/',
  'http://127。0。0。1:{port}/',
  'http://0:{port}/',
  'http://0.0.0.0:{port}/',
  'http://[::]:{port}/',
  'http://[::1]:{port}/',
  'http://[0:0:0:0:0:0:0:1]:{port}/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]:{port}/',
  'http://[::ffff:127.0.0.1]:{port}/',
  'http://[::ffff:7f00:1]:{port}/',
  'http://[0:0:0:0:0:ffff:7f00:0001]:{port}/',
  'http://[::127.0.0.1]:{port}/',
  'http://[::ffff:0:127.0.0.1]:{port}/',
  'http://[2002:7f00:1::]:{port}/',
  'http://[2002:7f00:0001::1]:{port}/',
  'http://[64:ff9b::127.0.0.1]:{port}/',
  'http://[64:ff9b::7f00:1]:{port}/',
  'http://[64:ff9b:1::7f00:1]:{port}/',
  'http://[2001:0:7f00:1::1]:{port}/',
  'http://localhost:{port}/',
  'http://LOCALHOST:{port}/',
  'http://localhost.:{port}/',
  'http://hooks.localhost:{port}/',
  'http://ip6-localhost:{port}/',
];

const INNER_NETWORKS = [
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://0xa000001/',
  'http://167772161/',
];

const LINK_LOCAL_AND_METADATA = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://169.254.170.2/v2/credentials',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/latest/',
  'http://100.100.100.200/latest/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
];

const OTHERS = [
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://240.0.0.1/',
  'http://198.18.0.1/',
  'http://203.0.113.1/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[fec0::1]/',
];

/** URLs that are rejected for what they are, whatever address they lead to. */
export const MALFORMED = [
  'http://user:password@example.com/',
  'http://127.0.0.1@example.com/',
  'http://example.com:80@127.0.0.1:{port}/',
  'http://example.com\\@127.0.0.1:{port}/',
  'http://example.com/#fragment',
  'http://example.com/\n',
  ' http://127.0.0.1:{port}/',
  'ftp://127.0.0.1:{port}/',
  'gopher://127.0.0.1:{port}/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ws://127.0.0.1:{port}/',
  '//127.0.0.1:{port}/',
  '127.0.0.1:{port}',
  'http://',
  'http:///',
];

/** What only live rejects. */
export const LIVE_ONLY = [
  'http://example.com/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:6379/',
  'https://example.com:8080/',
  'https://example.com:{port}/',
];

export const HOSTILE_ADDRESSES = [
  ...LOOPBACK_WRITINGS,
  ...INNER_NETWORKS,
  ...LINK_LOCAL_AND_METADATA,
  ...OTHERS,
];

/** What a hostile name server returns, by the name that is asked for. */
export const HOSTILE_RESPONSES: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'unspecified.example': ['0.0.0.0'],
  'private.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'link-local.example': ['fe80::1'],
  'link-local4.example': ['169.254.7.7'],
  'scoped-link-local.example': ['fe80::1%1'],
  '6to4.example': ['2002:7f00:1::1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'second-is-loopback.example': ['1.1.1.1', '127.0.0.1'],
  'sixth-is-loopback.example': ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4', '1.1.1.5', '::1'],
  'not-an-address.example': ['localhost'],
};
