import type { RenderEvent, VidError } from '@vid/kernel'

/** Segments of a row, and how many of them were reused. */
export interface SegmentCount {
  readonly total: number
  readonly reused: number
}

type ProgressEvent = Extract<RenderEvent, { type: 'render-progress' }>

/** What a batch tells its observers, in order for each row. */
export type BatchEvent =
  | { readonly type: 'batch-row-start'; readonly index: number; readonly outputPath: string }
  | {
      readonly type: 'batch-row-progress'
      readonly index: number
      readonly stage: ProgressEvent['stage']
      /** 0 … 1 over the whole row. */
      readonly progress: number
    }
  | {
      readonly type: 'batch-row-complete'
      readonly index: number
      readonly outputPath: string
      readonly durationMs: number
      readonly renderTimeMs: number
      readonly segments: SegmentCount
    }
  | {
      readonly type: 'batch-row-error'
      readonly index: number
      readonly outputPath: string
      readonly error: ReturnType<VidError['toJSON']>
    }
  | {
      readonly type: 'batch-complete'
      readonly manifestPath: string
      readonly total: number
      readonly completed: number
      readonly failed: number
      readonly skipped: number
    }
