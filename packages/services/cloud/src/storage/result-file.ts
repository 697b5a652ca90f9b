import type { CloudFormat } from '@vid/client/contract'

/** The one file in which the video of a render is stored and sent. */
export interface ResultFile {
  /** Without its dot. */
  readonly extension: string
  /** MIME type. */
  readonly type: string
}

/** MIME types of posters, by the extension of their key. */
export const posterTypes = { jpg: 'image/jpeg', png: 'image/png' } as const

/** The file of each format; a video that is a folder travels as a zip. */
export const resultFiles: Readonly<Record<CloudFormat, ResultFile>> = {
  mp4: { extension: 'mp4', type: 'video/mp4' },
  webm: { extension: 'webm', type: 'video/webm' },
  mov: { extension: 'mov', type: 'video/quicktime' },
  hls: { extension: 'zip', type: 'application/zip' },
}
