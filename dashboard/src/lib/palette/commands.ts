import type { Environment } from '@tollgate/contracts/environment';
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
  does:
    | { goTo: string }
    | { readAbout: DocsTopic }
    | { setTheme: 'system' | 'light' | 'dark' }
    | { signOut: true };
}

/** What the palette asks the server for when it is opened. */
export interface PaletteData {
  applications: { id: string; name: string }[];
  mayCreate: { application: boolean; key: Record<Environment, boolean>; token: boolean };
}

export interface PaletteContext {
  environment: Environment;
  path: string;
  sections: { label: string; href: string }[];
  /** Null until the server has responded. */
  data: PaletteData | null;
}

/** Found by typing only: they would bury what a member does here. */
const DOCS_COMMANDS = (Object.keys(DOCS_PAGES) as DocsTopic[]).map((topic) =>
  command('Docs', `Learn about ${DOCS_PAGES[topic].label}`, { readAbout: topic }, 'help guide documentation'),
);
const MAX_PER_GROUP = 7;
const OTHER = { live: 'sandbox', sandbox: 'live' } as const;

/** Every command that does not depend on what is typed, in the order of the palette. */
function allCommands({ environment, path, sections, data }: PaletteContext): Command[] {
  const applicationPath = `/${environment}/applications`;
  const other = OTHER[environment];
  const applications = data?.applications ?? [];
  return [
    ...sections.map(({ label, href }) => command('Go to', label, { goTo: href })),
    command('Go to', 'API keys', { goTo: `${applicationPath}/keys` }, 'credentials'),
    ...(data?.mayCreate.token
      ? [command('Go to', 'API tokens', { goTo: '/team/tokens' }, 'credentials admin api scripts')]
      : []),
    ...(data?.mayCreate.application
      ? [command('Create', 'Create application', { goTo: `${applicationPath}/new` }, 'new add')]
      : []),
    ...(data?.mayCreate.token
      ? [command('Create', 'Create API token', { goTo: '/team/tokens/new' }, 'new add')]
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
    command('Environment', `Switch to ${other}`, { goTo: inEnvironment(path, other) }, 'environment'),
    command('Appearance', 'Theme: System', { setTheme: 'system' }, 'colour color'),
    command('Appearance', 'Theme: Light', { setTheme: 'light' }, 'colour color bright'),
    command('Appearance', 'Theme: Dark', { setTheme: 'dark' }, 'colour color night'),
    command('Session', 'Sign out', { signOut: true }, 'log out logout leave'),
  ];
}

/**
 * What to show for what is typed: what has that id, else the commands that hold every word of it, and last the payments that have it as
 * their reference or payer.
 */
export function findCommands(context: PaletteContext, typed: string): Command[] {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = [...allCommands(context), ...(words.length > 0 ? DOCS_COMMANDS : [])];
  const matching = commands.filter(({ label, group, keywords = '' }) => {
    const sought = `${label} ${group} ${keywords}`.toLowerCase();
    return words.every((word) => sought.includes(word));
  });
  return [
    ...byId(context.environment, text),
    ...firstOfEachGroup(matching),
    ...paymentSearches(context.environment, text),
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

function paymentSearches(environment: Environment, text: string): Command[] {
  if (text === '' || byId(environment, text).length > 0) return [];
  const by = (field: 'reference' | 'payer') =>
    `/${environment}/payments?${new URLSearchParams({ [field]: text })}`;
  const ofPayer = command('Search', `Payments by payer “${text}”`, { goTo: by('payer') });
  return [
    command('Search', `Payments with reference “${text}”`, { goTo: by('reference') }),
    ...(text.includes('@') ? [ofPayer] : []),
  ];
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
    does,
    ...(keywords !== undefined && { keywords }),
  };
}
