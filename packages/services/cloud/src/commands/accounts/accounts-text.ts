import { tableText, timeText } from '@vid/command'
import type { AdminResult } from '../../admin/admin-functions.ts'

/** Formats accounts as a table. */
export const accountsText = ({ accounts }: { readonly accounts: AdminResult<'accounts.list'> }): string =>
  tableText(
    ['id', 'email', 'name', 'weight', 'created', 'disabled'],
    accounts.map(({ id, email, name, weight, createdAt, disabledAt }) => [
      id,
      email ?? '',
      name ?? '',
      String(weight),
      timeText(createdAt),
      timeText(disabledAt),
    ]),
  )
