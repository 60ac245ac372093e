import { expect, it } from 'vitest';
import { findCommands, type PaletteContext } from './commands.ts';

const context: PaletteContext = {
  environment: 'sandbox',
  path: '/sandbox/payments',
  sections: [{ label: 'Payments', href: '/sandbox/payments' }],
  data: {
    applications: [
      { id: 'app_1', name: 'Web shop' },
      { id: 'app_2', name: 'Billing' },
    ],
    keys: [{ id: 'key_1', name: 'Worker', application_id: 'app_1' }],
    endpoints: [{ id: 'whe_1', url: 'https://shop.example/hook' }],
    members: [{ id: 'mem_1', name: 'Grace Hopper', email: 'grace@example.com' }],
    mayCreate: { application: true, key: { live: false, sandbox: true }, token: true },
  },
  hits: [],
};
const find = (typed: string, more: Partial<PaletteContext> = {}) =>
  findCommands({ ...context, ...more }, typed);
const targets = (typed: string, more?: Partial<PaletteContext>) =>
  find(typed, more).map(({ does }) =>
    'goTo' in does ? does.goTo : 'readAbout' in does ? does.readAbout : Object.keys(does)[0],
  );

const PAYMENT = 'pay_01m7y36jm6fahb222f5ewhv0rz';

it('the palette opens a payment by its pasted id, with or without spaces around it', () => {
  expect(targets(` ${PAYMENT} `)).toEqual([`/sandbox/payments/${PAYMENT}`]);
});

it.each([
  ['whe', '/sandbox/webhooks/endpoints'],
  ['dlv', '/sandbox/webhooks/deliveries'],
  ['evt', '/sandbox/webhooks/events'],
  ['tok', '/team/tokens'],
  ['aud', '/audit'],
])('the palette opens the page of an id with the prefix %s', (prefix, section) => {
  const id = PAYMENT.replace('pay', prefix);
  expect(targets(id)).toEqual([`${section}/${id}`]);
});

it('the palette shows the records that the server found, and the search for payments last', () => {
  const goTo = '/live/payments/pay_1';
  const hits = [{ group: 'Payments in live', label: '1.00 EUR · order & 1', goTo }];
  expect(targets('order & 1', { hits })).toEqual([goTo, '/sandbox/payments?search=order+%26+1']);
});

it('the palette does not offer a search for a key, whose text would be in the address', () => {
  expect(targets('tg_live_0123456789abcdef_secret')).toEqual([]);
});

it('the palette opens a section by the beginning of its name', () => {
  expect(targets('paym')[0]).toBe('/sandbox/payments');
});

it.each([
  ['worker', '/sandbox/applications/app_1/keys/key_1'],
  ['shop.example', '/sandbox/webhooks/endpoints/whe_1'],
  ['hopper', '/team/members/mem_1'],
  ['grace@', '/team/members/mem_1'],
  ['deliveries', '/sandbox/webhooks/deliveries'],
  ['2fa', '/account/second-factor'],
  ['retention', '/team/policies'],
])('the palette finds by %s the page %s', (typed, target) => {
  expect(targets(typed)[0]).toBe(target);
});

it('the palette names keys, endpoints, and members only once something is typed', () => {
  expect(targets('').filter((target) => /key_1|whe_1|mem_1/.test(String(target)))).toEqual([]);
});

it('the palette opens the confirmation that rotates or revokes a key, if the role of the member allows it', () => {
  const page = '/sandbox/applications/app_1/keys/key_1';
  expect(targets('rotate worker')[0]).toBe(`${page}?dialog=rotate`);
  expect(targets('worker revoke')[0]).toBe(`${page}?dialog=revoke`);
  const data = { ...context.data, mayCreate: { application: false, key: { live: true, sandbox: false } } };
  expect(targets('revoke worker', { data: data as PaletteContext['data'] })[0]).not.toContain('dialog');
});

it('the palette finds pages of the documentation, once something is typed', () => {
  expect(targets('guide webhooks')).toContain('webhooks');
  expect(targets('')).not.toContain('webhooks');
});

it('the palette opens an application by any part of its name, in any order', () => {
  expect(targets('shop web')).toContain('/sandbox/applications/app_1');
  expect(targets('shop web')).not.toContain('/sandbox/applications/app_2');
  expect(targets('key shop')).toContain('/sandbox/applications/app_1/keys/new');
});

it("the palette shows only commands that the member's role allows", () => {
  expect(targets('new', { environment: 'live' }).join()).not.toContain('/keys/new');
  const data = {
    applications: [],
    keys: [],
    endpoints: [],
    members: [],
    mayCreate: { application: false, key: { live: false, sandbox: false }, token: false },
  };
  expect(targets('', { data })).not.toContain('/sandbox/applications/new');
  expect(targets('token', { data })).toEqual(['tokens', '/sandbox/payments?search=token']);
  expect(targets('api token')).toEqual(expect.arrayContaining(['/team/tokens', '/team/tokens/new']));
});

it('the palette switches the environment and keeps the current page', () => {
  expect(targets('switch')).toContain('/live/payments');
});

it('the palette works without server data while that is loading', () => {
  expect(targets('', { data: null })).toEqual([
    '/sandbox/payments',
    '/sandbox/applications/keys',
    '/sandbox/webhooks/deliveries',
    '/sandbox/webhooks/events',
    '/sandbox/webhooks/event-types',
    '/sandbox/webhooks/verify',
    '/team/notifications',
    '/live/payments',
    'setTheme',
    'setTheme',
    'setTheme',
    'signOut',
  ]);
});

it('the palette stays short with many applications, and lists no command twice', () => {
  const applications = Array.from({ length: 500 }, (_, index) => ({
    id: `app_${index}`,
    name: 'Same name',
  }));
  const found = find('', {
    data: {
      applications,
      keys: [],
      endpoints: [],
      members: [],
      mayCreate: { application: true, key: { live: true, sandbox: true }, token: true },
    },
  });
  expect(found.length).toBeLessThan(30);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
});
