/**
 * A command that lists the applications of the team with a new API token, ready to paste. Single quotes protect the
 * token from the shell; it consists of letters, digits, and `_`.
 */
export function firstRequestCommand({ adminUrl, secret }: { adminUrl: string; secret: string }): string {
  return [`curl -i ${adminUrl}/admin/v1/applications`, `-H 'Authorization: Bearer ${secret}'`].join(
    ' \\\n  ',
  );
}
