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
  /** Has an accepted render done; in the transaction that writes it. */
  enqueue(sql: Sql, render: AcceptedRender): Promise<void>
  /** Takes back what is not begun of a render that was deleted; in the transaction that ends it. */
  cancel(sql: Sql, renderId: string): Promise<void>
  /** Tells workers of this process that there is work, once its transaction is over. */
  wake(): void
  close(): Promise<void>
}
