import type { QuickstartParts } from './quickstart.ts';

/** What the terminal shows when everything runs: addresses, how to sign in, and a first payment to paste. */
export function greeting(
  { firstRun, urls }: QuickstartParts,
  files: { quickstart: string; logsDir: string },
): string {
  const { application, owner } = firstRun;
  return `
Tollgate runs.

  dashboard ${urls.dashboard}
  live      ${urls.live}
  sandbox   ${urls.sandbox}
  admin     ${urls.admin}
  reference ${urls.live}/docs

${owner.password === null ? `Sign in with the password that you have chosen.` : signIn(owner.email, owner.password, firstRun.isNew, files.quickstart)}
${application === null ? 'There is no first application: make one in the dashboard.' : firstPayment(urls.sandbox, application.apiKeys.sandbox)}

Keys and addresses: ${files.quickstart}
Logs: ${files.logsDir}
Ctrl-C stops everything.
`;
}

/** The password is shown the first time only: later ones may be looked at by others. */
function signIn(email: string, password: string, isNew: boolean, quickstart: string): string {
  return `Sign in to the dashboard:

  email     ${email}
  password  ${isNew ? password : `in ${quickstart}`}
`;
}

function firstPayment(baseUrl: string, apiKey: string): string {
  return `A first payment, in the sandbox:

  curl -i ${baseUrl}/v1/payments \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H "Idempotency-Key: $(date +%s)-$$" \\
    -H 'Content-Type: application/json' \\
    -d '{"amount": 1999, "currency": "EUR", "reference": "order-1"}'`;
}
