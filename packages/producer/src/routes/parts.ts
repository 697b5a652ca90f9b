import type { App } from '@vid/server'
import type { Metrics } from '../metrics.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { IntakeParts } from '../requests/intake.ts'
import type { Wording } from '../requests/reply-error.ts'
import type { Service } from '../requests/service.ts'

/** What the routes of a render server work with. */
export interface RouteParts extends IntakeParts {
  readonly app: App
  readonly service: Service
  readonly outputs: Outputs
  readonly metrics: Metrics
  readonly wording: Wording
}
