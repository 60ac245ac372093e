import { text, url, type VariableTable } from '@tollgate/runtime/config';

const web = { protocols: ['http', 'https'] } as const;

/** Variables of `tollgate`. With a login, the addresses and the webhook secret come from it. */
export const commandLineVariables = {
  apiToken: text('TOLLGATE_API_TOKEN', {
    isSecret: true,
    default: '',
    description: 'An [API token](../guides/automate-with-api-tokens.md), which replaces the login.',
  }),
  apiKey: text('TOLLGATE_API_KEY', {
    isSecret: true,
    default: '',
    description:
      'API key that creates and cancels payments. With a login, the program creates one for the sandbox.',
  }),
  adminUrl: url('TOLLGATE_ADMIN_URL', {
    ...web,
    default: 'http://localhost:8082',
    description: 'Address of the admin API.',
  }),
  liveUrl: url('TOLLGATE_LIVE_URL', {
    ...web,
    default: 'http://localhost:8080',
    description: 'Address of the live API.',
  }),
  sandboxUrl: url('TOLLGATE_SANDBOX_URL', {
    ...web,
    default: 'http://localhost:8081',
    description: 'Address of the sandbox API.',
  }),
  webhookSecret: text('TOLLGATE_WEBHOOK_SECRET', {
    isSecret: true,
    default: '',
    defaultText: 'new for each run',
    description: 'Signs what `tollgate listen` forwards.',
  }),
  configDir: text('TOLLGATE_CONFIG_DIR', {
    type: 'path of a folder',
    default: '',
    defaultText: '`~/.config/tollgate`',
    description: 'Folder of the credentials.',
  }),
} satisfies VariableTable;
