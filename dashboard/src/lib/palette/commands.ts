import type { Environment } from '@tollgate/contracts/platform/environment';
import { credentialIn } from '#lib/credentials/credential.ts';
import { DOCS_PAGES, type DocsTopic } from '#lib/docs/docs-pages.ts';
import { inEnvironment } from '#lib/shell/sections.ts';

/** One thing that the palette does. */
export interface Command {
  /** Unique in the palette. */
  id: string;
  group: string;
  label: string;
  /** Other words that find it. */
  keywords?: string;
  /** Whether it may change when the server has responded. */
  isProvisional: boolean;
  does:
    | { goTo: string }
    | { readAbout: DocsTopic }
    | { setTheme: 'system' | 'light' | 'dark' }
    | { signOut: true };
}

/** What the palette asks the server for when it is opened. */
export interface PaletteData {
  applications: { id: string; name: string }[];
  /** API keys of the environment that is open. */
  keys: { id: string; name: string; application_id: string }[];
  /** Webhook endpoints of the environment that is open. */
  endpoints: { id: string; url: string }[];
  members: { id: string; name: string; email: string }[];
  mayCreate: { application: boolean; key: Record<Environment, boolean>; token: boolean };
}

/** A record that the server found for the text. */
export interface Hit {
  group: string;
  /** What tells it from the others. */
  label: string;
  goTo: string;
}

export interface PaletteContext {
  environment: Environment;
  path: string;
  sections: { label: string; href: string }[];
  /** Null until the server has responded. */
  data: PaletteData | null;
  /** What the server found for the text; empty until then. */
  hits: readonly Hit[];
}

/** Found by typing only: they would bury what a member does here. */
const DOCS_COMMANDS = (Object.keys(DOCS_PAGES) as DocsTopic[]).map((topic) =>
  command('Docs', `Learn about ${DOCS_PAGES[topic].label}`, { readAbout: topic }, 'help guide documentation'),
);
const TYPED_ONLY: readonly string[] = ['API keys', 'Change API keys', 'Webhook endpoints', 'Members'];
const MAX_PER_GROUP = 7;
const OTHER = { live: 'sandbox', sandbox: 'live' } as const;

/** Every command that does not depend on what is typed, in the order of the palette. */
function allCommands({ environment, path, sections, data }: PaletteContext): Command[] {
  const applicationPath = `/${environment}/applications`;
  const other = OTHER[environment];
  const applications = data?.applications ?? [];
  return [
    ...sections.map(({ label, href }) => command('Go to', label, { goTo: href })),
    ...subPages(environment).map(([label, goTo, keywords]) => command('Go to', label, { goTo }, keywords)),
    ...(data?.mayCreate.application
      ? [command('Create', 'Create application', { goTo: `${applicationPath}/new` }, 'new add')]
      : []),
    ...(data?.mayCreate.token
      ? [
          command('Go to', 'API tokens', { goTo: '/team/tokens' }, 'credentials admin api scripts'),
          command('Create', 'Create API token', { goTo: '/team/tokens/new' }, 'new add'),
        ]
      : []),
    ...(data?.mayCreate.key[environment]
      ? applications.map(({ id, name }) =>
          command(
            'Create',
            `Create ${environment} API key for ${name}`,
            { goTo: `${applicationPath}/${id}/keys/new` },
            `new ${id}`,
          ),
        )
      : []),
    ...applications.map(({ id, name }) =>
      command('Applications', name, { goTo: `${applicationPath}/${id}` }, `application open ${id}`),
    ),
    ...(data?.keys ?? []).map(({ id, name, application_id }) =>
      command('API keys', name, { goTo: `${applicationPath}/${application_id}/keys/${id}` }, `key ${id}`),
    ),
    ...(data?.mayCreate.key[environment] ? data.keys : []).flatMap(({ id, name, application_id }) => {
      const dialog = `${applicationPath}/${application_id}/keys/${id}?dialog=`;
      return [
        command('Change API keys', `Rotate ${name}`, { goTo: `${dialog}rotate` }, `key ${id}`),
        command('Change API keys', `Revoke ${name}`, { goTo: `${dialog}revoke` }, `key ${id}`),
      ];
    }),
    ...(data?.endpoints ?? []).map(({ id, url }) =>
      command(
        'Webhook endpoints',
        url,
        { goTo: `/${environment}/webhooks/endpoints/${id}` },
        `endpoint ${id}`,
      ),
    ),
    ...(data?.members ?? []).map(({ id, name, email }) =>
      command('Members', name, { goTo: `/team/members/${id}` }, `member ${email} ${id}`),
    ),
    command('Environment', `Switch to ${other}`, { goTo: inEnvironment(path, other) }, 'environment'),
    command('Appearance', 'Theme: System', { setTheme: 'system' }, 'colour color'),
    command('Appearance', 'Theme: Light', { setTheme: 'light' }, 'colour color bright'),
    command('Appearance', 'Theme: Dark', { setTheme: 'dark' }, 'colour color night'),
    command('Session', 'Sign out', { signOut: true }, 'log out logout leave'),
  ];
}

/** The pages below the sections that have an address without an id: label, path, and other words that find it. */
function subPages(environment: Environment): [string, string, string][] {
  return [
    ['API keys', `/${environment}/applications/keys`, 'credentials'],
    ['Deliveries', `/${environment}/webhooks/deliveries`, 'webhooks attempts'],
    ['Events', `/${environment}/webhooks/events`, 'webhooks'],
    ['Event types', `/${environment}/webhooks/event-types`, 'webhooks'],
    ['Verify a webhook signature', `/${environment}/webhooks/verify`, 'webhooks'],
    ['Notifications', '/team/notifications', 'team chat slack mattermost webhook email'],
    ['Policies', '/team/policies', 'team settlement approval data retention leaked keys second factor'],
    ['Sandbox reset', '/team/sandbox', 'team delete test data'],
    ['Single sign-on', '/team/single-sign-on', 'team sso openid oidc identity provider'],
    ['Audit log verification', '/audit/verification', 'integrity tree head'],
    ['Sessions', '/account/sessions', 'account devices sign out'],
    ['Password', '/account/password', 'account change'],
    ['Two-factor authentication', '/account/second-factor', 'account 2fa totp'],
    ['Add a passkey', '/account/passkeys/new', 'account webauthn security key'],
  ];
}

/**
 * What to show for what is typed: what has that id, the commands that contain every word of it, the records that the server found, and
 * last the search for payments.
 */
export function findCommands(context: PaletteContext, typed: string): Command[] {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = [...allCommands(context), ...(words.length > 0 ? DOCS_COMMANDS : [])];
  const matching = commands.filter(({ label, group, keywords = '' }) => {
    // Names of the team's records are found by typing only.
    if (words.length === 0 && TYPED_ONLY.includes(group)) return false;
    const sought = `${label} ${group} ${keywords}`.toLowerCase();
    return words.every((word) => sought.includes(word));
  });
  const named = byId(context.environment, text);
  const records = context.hits
    .filter(({ goTo }) => !named.some(({ does }) => 'goTo' in does && does.goTo === goTo))
    .map(({ group, label, goTo }) => command(group, label, { goTo }));
  return [
    ...named,
    ...firstOfEachGroup(matching),
    ...[...records, ...searchCommand(context, text)].map((found) => ({
      ...found,
      isProvisional: true,
    })),
  ];
}

/** TypeIDs have 26 characters after the prefix. */
const ID = /^([a-z]{3})_[0-9a-z]{26}$/;

/** What has a page of its own, by the prefix of its ids; `isShared` for what belongs to the team and to no environment. */
const PAGES_BY_PREFIX: Record<string, { what: string; section: string; isShared?: true }> = {
  pay: { what: 'payment', section: 'payments' },
  app: { what: 'application', section: 'applications' },
  whe: { what: 'webhook endpoint', section: 'webhooks/endpoints' },
  dlv: { what: 'delivery', section: 'webhooks/deliveries' },
  evt: { what: 'event', section: 'webhooks/events' },
  tok: { what: 'API token', section: 'team/tokens', isShared: true },
  aud: { what: 'audit record', section: 'audit', isShared: true },
};

function byId(environment: Environment, text: string): Command[] {
  const found = PAGES_BY_PREFIX[ID.exec(text)?.[1] ?? ''];
  if (!found) return [];
  const section = found.isShared ? `/${found.section}` : `/${environment}/${found.section}`;
  return [command('Search', `Open ${found.what} ${text}`, { goTo: `${section}/${text}` })];
}

/** None for a key: its text must not become part of an address. */
function searchCommand({ environment }: PaletteContext, text: string): Command[] {
  if (text === '' || credentialIn(text) !== null || byId(environment, text).length > 0) return [];
  const goTo = `/${environment}/payments?${new URLSearchParams({ search: text })}`;
  return [command('Search', `Search payments for “${text}”`, { goTo })];
}

function firstOfEachGroup(commands: Command[]): Command[] {
  const shown = new Map<string, number>();
  return commands.filter(({ group }) => {
    const count = (shown.get(group) ?? 0) + 1;
    shown.set(group, count);
    return count <= MAX_PER_GROUP;
  });
}

function command(group: string, label: string, does: Command['does'], keywords?: string): Command {
  const target = 'goTo' in does ? does.goTo : '';
  return {
    id: `${group}/${label}/${target}`,
    group,
    label,
    isProvisional: false,
    does,
    ...(keywords !== undefined && { keywords }),
  };
}
