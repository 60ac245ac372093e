import { createInvitation, createResetLink } from '@tollgate/contracts/accounts/rpc';
import type { TestApplication } from '../platform/test-application.ts';
import type { TestMember } from '../platform/test-team.ts';

/** The resources that the forms change. */
export interface World {
  owner: TestMember;
  /** Enters wrong passwords, so that those of the owner are not throttled. */
  admin: TestMember;
  viewer: TestMember;
  application: TestApplication;
  paymentId: string;
}

/** A form with invalid values. Keys are field names. */
export interface RejectedForm {
  who?: 'nobody' | 'admin' | 'installationAdmin';
  path(world: World): string | Promise<string>;
  /** The button that opens the form's dialog. */
  opens?: string;
  fill: Record<string, string>;
  /** Null for filters, which apply at once, and without JavaScript by Enter. */
  submit: string | null;
  /** The messages beside the fields. */
  errors: Record<string, RegExp>;
}

export const ofApplication = ({ application }: World) => `/sandbox/applications/${application.id}`;

export const REJECTED_FORMS: Record<string, RejectedForm> = {
  'an application without a name': {
    path: () => '/sandbox/applications/new',
    fill: { name: '  ' },
    submit: 'Create application',
    errors: { name: /Enter a name/ },
  },
  'an application renamed to nothing': {
    path: ofApplication,
    opens: 'Rename',
    fill: { name: '' },
    submit: 'Rename application',
    errors: { name: /name/ },
  },
  'an application with an invalid label': {
    path: () => '/sandbox/applications/new',
    fill: { name: 'Shop', labels: 'env: prod\nTeam' },
    submit: 'Create application',
    errors: { labels: /“Team” is not a label/ },
  },
  'labels with a repeated key': {
    path: ofApplication,
    opens: 'Edit labels',
    fill: { labels: 'env: prod\nenv: test' },
    submit: 'Save labels',
    errors: { labels: /“env” appears more than once/ },
  },
  'limits that are no numbers': {
    path: ofApplication,
    fill: {
      'limits.live.requests_per_second': 'many',
      'limits.live.burst': '-1',
    },
    submit: 'Save live limit',
    errors: { 'limits.live.requests_per_second': /number/, 'limits.live.burst': /\d/ },
  },
  'a key with a network that is none': {
    path: (world) => `${ofApplication(world)}/keys/new`,
    fill: { name: 'Server', allowed_cidrs: '203.0.113.0/24\nthe office' },
    submit: 'Create API key',
    errors: { allowed_cidrs: /office/ },
  },
  'a key that has expired before it is made': {
    path: (world) => `${ofApplication(world)}/keys/new`,
    fill: { name: 'Server', expires_on: '2020-02-29' },
    submit: 'Create API key',
    errors: { expires_on: /future|past|later|today/ },
  },
  'an edited key with invalid values': {
    path: (world) => `${ofApplication(world)}/keys/${world.application.keyIds.sandbox}/edit`,
    fill: { name: '', expires_on: '2020-02-29', allowed_cidrs: 'the office' },
    submit: 'Save API key',
    errors: { name: /Enter a name/ },
  },
  'an edited key with a network that is none': {
    path: (world) => `${ofApplication(world)}/keys/${world.application.keyIds.sandbox}/edit`,
    fill: { expires_on: '2020-02-29', allowed_cidrs: 'office' },
    submit: 'Save API key',
    errors: { expires_on: /future/, allowed_cidrs: /office is not a valid network/ },
  },
  'an endpoint at an address inside': {
    path: () => '/sandbox/webhooks/endpoints/new',
    fill: { url: 'http://169.254.169.254/latest/meta-data', description: 'Order service' },
    submit: 'Add endpoint',
    errors: { url: /not a public address/ },
  },
  'a failure with a code that programs cannot read': {
    path: ({ paymentId }) => `/sandbox/payments/${paymentId}`,
    opens: 'Simulate failure',
    fill: { failure: 'custom', custom_code: 'Card Expired', custom_message: '' },
    submit: 'Simulate failure',
    errors: { custom_code: /lowercase letters/, custom_message: /Enter the reason/ },
  },
  'an invitation to what is no address': {
    path: () => '/team/invite',
    fill: { email: 'grace at example' },
    submit: 'Send invitation',
    errors: { email: /email|address/ },
  },
  'an API token with invalid values': {
    path: () => '/team/tokens/new',
    fill: { name: ' ', allowed_cidrs: 'the office' },
    submit: 'Create API token',
    errors: { name: /Enter a name/ },
  },
  'an API token with an expiry in the past and a network that is none': {
    path: () => '/team/tokens/new',
    fill: { name: 'Terraform', expires_on: '2020-02-29', allowed_cidrs: '203.0.113.0/24\nthe-office' },
    submit: 'Create API token',
    errors: { expires_on: /future/, allowed_cidrs: /the-office is not a valid network/ },
  },
  'a reset of the sandbox with the name of another team': {
    path: () => '/team/sandbox',
    opens: 'Reset sandbox',
    fill: { team_name: 'Another team' },
    submit: 'Delete all test data',
    errors: { team_name: /Type the name of your team/ },
  },
  'a chat webhook that is no URL': {
    path: () => '/team/notifications',
    fill: { secret_url: 'chat.example.com/hooks/abc' },
    submit: 'Set webhook',
    errors: { secret_url: /complete URL/ },
  },
  'a chat webhook at an address that is not allowed': {
    path: () => '/team/notifications',
    fill: { secret_url: 'https://user:password@1.1.1.1/hook' },
    submit: 'Set webhook',
    errors: { secret_url: /user or password/ },
  },
  'a team without a name': {
    path: () => '/team',
    fill: { name: '' },
    submit: 'Save team name',
    errors: { name: /empty/ },
  },
  'a person without a name': {
    path: () => '/account',
    fill: { name: '' },
    submit: 'Save name',
    errors: { name: /empty/ },
  },
  'a new password that is short': {
    path: () => '/account/password',
    fill: { current_password: 'whatever it was', new_password: 'too-short' },
    submit: 'Change password',
    errors: { new_password: /12/ },
  },
  'a second factor with a wrong password': {
    path: () => '/account/second-factor',
    fill: { current_password: 'whatever it was' },
    submit: 'Continue',
    errors: { current_password: /password/ },
  },
  'a passkey without a name': {
    path: () => '/account/passkeys/new',
    fill: { name: ' ', current_password: 'whatever it was' },
    submit: 'Continue',
    errors: { name: /Enter a name/ },
  },
  'a passkey with a wrong password': {
    who: 'admin',
    path: () => '/account/passkeys/new',
    fill: { name: 'My laptop', current_password: 'whatever it was' },
    submit: 'Continue',
    errors: { current_password: /not your current password/ },
  },
  'a confirmation of the identity with a wrong password': {
    who: 'admin',
    path: () => '/reauthenticate',
    fill: { current_password: 'whatever it was' },
    submit: 'Confirm',
    errors: { current_password: /not your current password/ },
  },
  'an identity provider that is no URL': {
    path: () => '/team/single-sign-on',
    fill: { issuer: 'login.example.com', client_id: 'tollgate', client_secret: 'the secret of the client' },
    submit: 'Save identity provider',
    errors: { issuer: /https/ },
  },
  'an identity provider without a client': {
    path: () => '/team/single-sign-on',
    fill: { issuer: 'https://login.example.com', client_id: ' ' },
    submit: 'Save identity provider',
    errors: { client_id: /client ID|empty/ },
  },
  'an identity provider without the secret of its client': {
    path: () => '/team/single-sign-on',
    fill: { issuer: 'https://login.example.com', client_id: 'tollgate' },
    submit: 'Save identity provider',
    errors: { client_secret: /Enter the client secret/ },
  },
  'a role mapping without a claim': {
    path: () => '/team/single-sign-on',
    fill: { role_claim: '', value_0: 'ops' },
    submit: 'Save roles',
    errors: { role_claim: /Enter the claim/ },
  },
  'a domain that is none': {
    path: () => '/team/single-sign-on',
    fill: { domain: 'not a domain' },
    submit: 'Add domain',
    errors: { domain: /Must be a domain/ },
  },
  'a sign-in with single sign-on that no team uses': {
    who: 'nobody',
    path: () => '/sso',
    fill: { email: 'grace@without-single-sign-on.example' },
    submit: 'Continue',
    errors: { email: /No team uses single sign-on/ },
  },
  'a request of a reset link for what is no address': {
    who: 'nobody',
    path: () => '/reset',
    fill: { email: 'grace at example' },
    submit: 'Send reset link',
    errors: { email: /email|address/ },
  },
  'a further team for what is no address': {
    who: 'installationAdmin',
    path: () => '/teams/new',
    fill: { name: 'Another', owner_email: 'nobody' },
    submit: 'Create team',
    errors: { owner_email: /email|address/ },
  },
  'joining with a short password': {
    who: 'nobody',
    path: async ({ owner }) => {
      const { token } = await owner.call(createInvitation, { email: 'guest@example.com', role: 'viewer' });
      return `/join/${token}`;
    },
    fill: { name: 'Grace', password: 'too-short' },
    submit: 'Join team',
    errors: { password: /12/ },
  },
  'setting a short password by a link': {
    who: 'nobody',
    path: async ({ owner, viewer }) => {
      const { token } = await owner.call(createResetLink, { member_id: viewer.id });
      return `/reset/${token}`;
    },
    fill: { password: 'too-short' },
    submit: 'Set password',
    errors: { password: /12/ },
  },
  'filters that cannot be': {
    path: () => '/sandbox/requests?payment=&code=not-found',
    fill: { payment: 'order-1', code: 'invalid-request' },
    submit: null,
    errors: { payment: /payment ID/ },
  },
};
