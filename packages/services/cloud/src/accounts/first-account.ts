import type { Database } from '../database/database.ts'
import { type Account, createAccount } from './accounts.ts'
import { createKey } from './api-keys.ts'

/** An account with a key that is shown only once. */
export interface FirstAccount {
  readonly account: Account
  readonly key: string
}

/** Number of the advisory lock that guards the creation of the first account; an arbitrary constant. */
const LOCK = 7_236_418_252

/** Creates an account with a key if the server has no accounts, so that a server on a laptop can be used at once. */
export const createFirstAccount = (database: Database): Promise<FirstAccount | undefined> =>
  database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock($1)', [LOCK])
    if ((await sql.rows('SELECT 1 FROM vid.accounts LIMIT 1')).length > 0) return undefined
    const account = await createAccount(sql, { name: 'first account' })
    const { key } = await createKey(sql, account.id, 'made at the first start')
    return { account, key }
  })
