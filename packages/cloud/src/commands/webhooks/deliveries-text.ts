import { tableText, timeText } from '@vid/command'
import type { AdminResult } from '../../admin/admin-functions.ts'

/** Deliveries, one a row. */
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
