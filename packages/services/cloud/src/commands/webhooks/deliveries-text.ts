import { tableText, timeText } from '@vid/command'
import type { AdminResult } from '../../admin/admin-functions.ts'

/** Formats deliveries as a table. */
export const deliveriesText = ({ deliveries }: { readonly deliveries: AdminResult<'webhooks.list'> }): string =>
  tableText(
    ['id', 'render', 'status', 'attempts', 'created', 'next', 'last error', 'address'],
    deliveries.map(({ id, renderId, status, attempts, nextAt, lastError, url, createdAt }) => [
      id,
      renderId,
      status,
      String(attempts),
      timeText(createdAt),
      timeText(nextAt),
      lastError ?? '',
      url,
    ]),
  )
