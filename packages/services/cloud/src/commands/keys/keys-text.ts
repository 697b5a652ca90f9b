import { tableText, timeText } from '@vid/command'
import type { AdminResult } from '../../admin/admin-functions.ts'

/** Formats keys as a table; each is identified by its first characters. */
export const keysText = ({ keys }: { readonly keys: AdminResult<'keys.list'> }): string =>
  tableText(
    ['id', 'account', 'name', 'key', 'created', 'last used', 'revoked'],
    keys.map((key) => [
      key.id,
      key.accountId,
      key.name ?? '',
      `${key.shown}…`,
      timeText(key.createdAt),
      timeText(key.lastUsedAt),
      timeText(key.revokedAt),
    ]),
  )
