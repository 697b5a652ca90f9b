import type { FrameRate, Hdr } from '@vid/protocol'
import { evenFilter } from '../encode/colour.ts'
import { steadyFilter } from '../encode/encode.ts'
import type { ExpectedVideo } from '../verify/stream-problems.ts'
import type { Mp4Settings } from './settings.ts'
import { x265Args } from './x265.ts'

const TRANSFERS = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

/** What x265 writes into a stream about its colours and their brightness. */
const hdrParams = ({ transfer, mastering, maxCll, maxFall }: Hdr) => [
  'range=limited',
  'colorprim=bt2020',
  `transfer=${TRANSFERS[transfer]}`,
  'colormatrix=bt2020nc',
  `master-display=${mastering}`,
  `max-cll=${maxCll},${maxFall}`,
]

interface HdrPicture {
  readonly width: number
  readonly height: number
  readonly fps: FrameRate
  readonly hdr: Hdr
}

/** ffmpeg's output options for `yuv420p10` frames as HEVC Main10, without rate control. */
export const hdrArgs = ({ width, height, fps, hdr }: HdrPicture, settings: Mp4Settings): string[] => [
  '-vf',
  `${evenFilter(width, height, 'yuv420p10le')},${steadyFilter(fps)}`,
  '-color_primaries',
  'bt2020',
  '-color_trc',
  TRANSFERS[hdr.transfer],
  '-colorspace',
  'bt2020nc',
  '-color_range',
  'tv',
  ...x265Args(settings, hdrParams(hdr)),
]

/** What ffprobe must report for an HDR stream. */
export const hdrStream = ({ transfer }: Hdr): ExpectedVideo['video'] => ({
  codec: 'hevc',
  codecTag: 'hvc1',
  profile: 'Main 10',
  pixFmt: 'yuv420p10le',
  range: 'tv',
  matrix: 'bt2020nc',
  transfer: TRANSFERS[transfer],
  primaries: 'bt2020',
})
