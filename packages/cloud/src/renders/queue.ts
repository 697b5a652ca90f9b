import type { CloudRender } from '@vid/kernel'
import type { Sql } from '../database/database.ts'

/** A render that was just accepted. */
export interface AcceptedRender {
  readonly id: string
  readonly accountId: string
  /** Order of acceptance. */
  readonly sequence: number
  readonly request: CloudRender
  /** Size of the composition in its source text. */
  readonly size: { readonly width: number; readonly height: number }
  /** Length in its source text, in seconds; null when only the page knows it. */
  readonly duration: number | null
}

/** What the API asks of the queue. */
export interface RenderQueue {
  /** Has an accepted render done, in the transaction that accepts it. */
  enqueue(sql: Sql, render: AcceptedRender): Promise<void>
  /** Tells the workers of this process that there is work; called once the transaction is done. */
  wake(): void
}
