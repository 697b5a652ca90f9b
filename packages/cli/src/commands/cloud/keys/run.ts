import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { tableText, timeText } from '../../../table-text.ts'
import { adminFlags } from '../admin/flags.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { createFlags, listFlags } from './flags.ts'

/** `vid cloud keys create`: prints the new key, this once. */
export const runCreate = (account: string, rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(createFlags, rawFlags, context, async ({ admin, flags: { name }, report }) => {
    const { key: secret, ...key } = await admin.call('keys.create', {
      account,
      ...(name !== undefined && { name }),
    })
    report.event({ type: 'cloud-key', key, secret })
    report.note(`made ${key.id}; the key is shown only now`)
    report.result(secret)
  })

/** `vid cloud keys list`. */
export const runList = (rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(listFlags, rawFlags, context, async ({ admin, flags: { account }, report }) => {
    const keys = await admin.call('keys.list', { ...(account !== undefined && { account }) })
    report.event({ type: 'cloud-keys', keys })
    const rows = keys.map((key) => [
      key.id,
      key.accountId,
      key.name ?? '',
      `${key.shown}…`,
      ...[key.createdAt, key.lastUsedAt, key.revokedAt].map(timeText),
    ])
    report.result(tableText(['id', 'account', 'name', 'key', 'created', 'last used', 'revoked'], rows))
  })

/** `vid cloud keys revoke`. */
export const runRevoke = (keyId: string, rawFlags: RawFlags, context: CliContext): Promise<void> =>
  runAdmin(adminFlags, rawFlags, context, async ({ admin, report }) => {
    const key = await admin.call('keys.revoke', { key: keyId })
    report.event({ type: 'cloud-key', key })
    report.result(`${key.id} is revoked; servers refuse it within five seconds`)
  })
