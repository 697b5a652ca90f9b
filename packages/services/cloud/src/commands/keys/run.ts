import type { CommandRun } from '@vid/command'
import { defined } from '@vid/protocol'
import type { adminOptions } from '../admin/options.ts'
import { withAdmin } from '../admin/run-admin.ts'
import type { keysCreateOptions, keysListOptions } from './options.ts'

/** `vid cloud keys create`: returns the new key, which is shown only this once. */
export const runKeysCreate = async (run: CommandRun<typeof keysCreateOptions, { readonly account: string }>) => {
  const params = { account: run.arguments.account, ...defined({ name: run.options.name }) }
  const { key: secret, ...key } = await withAdmin(run, (admin) => admin.call('keys.create', params))
  return { key, secret }
}

/** `vid cloud keys list`. */
export const runKeysList = async (run: CommandRun<typeof keysListOptions>) => {
  const { account } = run.options
  return { keys: await withAdmin(run, (admin) => admin.call('keys.list', defined({ account }))) }
}

/** `vid cloud keys revoke`. */
export const runKeysRevoke = async (run: CommandRun<typeof adminOptions, { readonly 'key id': string }>) => ({
  key: await withAdmin(run, (admin) => admin.call('keys.revoke', { key: run.arguments['key id'] })),
})
