import type { App, ReplyText } from '@vid/server'
import type { Metrics } from '../metrics.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { AcceptParts } from '../requests/accept.ts'

/** What the routes of a render server work with. */
export interface RouteParts extends AcceptParts {
  readonly app: App
  readonly outputs: Outputs
  readonly metrics: Metrics
  readonly replyText: ReplyText
}
