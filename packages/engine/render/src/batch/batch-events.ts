import type { EventOf } from '@vid/protocol'

/** The events of a batch, in order for each row. */
export type BatchEvent = EventOf<
  | 'batch-row-start'
  | 'batch-row-progress'
  | 'batch-row-complete'
  | 'batch-row-error'
  | 'batch-row-cancelled'
  | 'batch-row-unchanged'
  | 'batch-complete'
  | 'shapes-complete'
>

/** Segments of a row, and how many of them were reused. */
export type SegmentCount = EventOf<'batch-row-complete'>['segments']
