import { normalEmail } from '../accounts/accounts.ts'
import { countAttempt, delayAttempt, forgiveAttempts } from '../accounts/attempts.ts'
import { checkPassword, isBusy } from '../accounts/passwords.ts'
import type { Sql } from '../database/database.ts'

/** The outcome of a sign-in. */
export type SignIn =
  | { readonly accountId: string }
  | { readonly accountId?: never; readonly problem: 'wrong' | 'too many' }

const MAX_LENGTH = 300

/** Checks an e-mail address and a password; neither the message nor the timing reveals which one is wrong. */
export const checkSignIn = async (
  sql: Sql,
  credentials: { readonly email: string; readonly password: string },
  { address, signal }: { readonly address: string; readonly signal: AbortSignal },
): Promise<SignIn> => {
  const email = normalEmail(credentials.email.slice(0, MAX_LENGTH))
  const delayMs = await countAttempt(sql, { email, address })
  if (delayMs === undefined) return { problem: 'too many' }
  await delayAttempt(delayMs, signal)
  if (isBusy()) return { problem: 'too many' }
  const [account] = await sql.rows<{ id: string; hash: string | null }>(
    'SELECT id, password_hash AS hash FROM vid.accounts WHERE email = $1 AND disabled_at IS NULL',
    [email],
  )
  const isRight = await checkPassword(credentials.password.slice(0, MAX_LENGTH), account?.hash)
  if (!account || !isRight) return { problem: 'wrong' }
  await forgiveAttempts(sql, { email, address })
  return { accountId: account.id }
}
