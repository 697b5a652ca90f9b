import type { CloudOutput } from '@vid/client/contract'
import type { EndedRender, ResultUrls } from './result-addresses.ts'

/** The columns of a video that its output shows. */
export interface OutputRow extends EndedRender {
  readonly duration: number | null
  readonly progress: number
  readonly video_bytes: number | null
  readonly video_sha256: string | null
  readonly failure_code: string | null
  readonly failure_message: string | null
}

/** Formats one of the videos of a render of several shapes. */
export const outputOf = (row: OutputRow, urls: ResultUrls): CloudOutput => ({
  shape: row.request.shape ?? '',
  render_id: row.id,
  status: row.status,
  ...urls,
  duration: row.duration,
  size_bytes: row.video_bytes,
  sha256: row.video_sha256,
  progress: row.status === 'completed' ? 1 : row.progress,
  failure_code: row.failure_code,
  failure_message: row.failure_message,
})
