import type { Reader } from '@vid/reader'
import type { App, ReplyText } from '@vid/server'
import type { Metrics } from '../metrics.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Streams } from '../outputs/streams.ts'
import type { AcceptParts } from '../requests/accept.ts'

/** Dependencies of the render server's routes. */
export interface ProducerParts extends AcceptParts {
  readonly app: App
  readonly outputs: Outputs
  readonly streams: Streams
  readonly metrics: Metrics
  readonly replyText: ReplyText
  readonly reader: Pick<Reader, 'reading'>
}
