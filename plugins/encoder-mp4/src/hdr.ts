import { type ExpectedVideo, evenFilter, steadyFilter } from '@vid/ffmpeg'
import type { Hdr } from '@vid/kernel'
import type { Mp4Settings } from './settings.ts'

const CURVES = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

/** One frame thread, or bytes would depend on how far others have come; `info=0` leaves out the name of the build. */
const x265Params = ({ transfer, mastering, maxCll, maxFall }: Hdr, { threads }: Mp4Settings) =>
  [
    ...['log-level=error', 'info=0', 'open-gop=0', 'frame-threads=1', `pools=${threads}`],
    ...['range=limited', 'colorprim=bt2020', `transfer=${CURVES[transfer]}`, 'colormatrix=bt2020nc'],
    ...[`master-display=${mastering}`, `max-cll=${maxCll},${maxFall}`],
  ].join(':')

interface HdrPicture {
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly hdr: Hdr
}

/** ffmpeg's output options for HEVC Main10 of `yuv420p10` frames; the rate comes after them. */
export const hdrArgs = ({ width, height, fps, hdr }: HdrPicture, settings: Mp4Settings): string[] => [
  ...['-vf', `${evenFilter(width, height, 'yuv420p10le')},${steadyFilter(fps)}`],
  ...['-color_primaries', 'bt2020', '-color_trc', CURVES[hdr.transfer]],
  ...['-colorspace', 'bt2020nc', '-color_range', 'tv'],
  ...['-c:v', 'libx265', '-preset', settings.preset, '-tag:v', 'hvc1', '-forced-idr', '1'],
  ...['-x265-params', x265Params(hdr, settings)],
]

/** What ffprobe must say of an HDR stream. */
export const hdrStream = ({ transfer }: Hdr): ExpectedVideo['video'] => ({
  ...{ codec: 'hevc', codecTag: 'hvc1', profile: 'Main 10', pixFmt: 'yuv420p10le' },
  ...{ range: 'tv', matrix: 'bt2020nc', transfer: CURVES[transfer], primaries: 'bt2020' },
})
