import type { CloudRender } from '@vid/client/contract'
import type { Sql } from '../database/database.ts'

/** A newly accepted render. */
export interface AcceptedRender {
  readonly id: string
  readonly accountId: string
  /** Position in the order of acceptance. */
  readonly sequence: number
  readonly request: CloudRender
  /** Size of the composition according to its source. */
  readonly size: { readonly width: number; readonly height: number }
  /** Duration according to its source, in seconds; null if only the page can determine it. */
  readonly duration: number | null
}

/** The part of the queue that the API uses. */
export interface RenderQueue {
  /** Queues an accepted render, in the transaction that accepts it. */
  enqueue(sql: Sql, render: AcceptedRender): Promise<void>
  /** Notifies the workers of this process of new work; called after the transaction commits. */
  wake(): void
}
