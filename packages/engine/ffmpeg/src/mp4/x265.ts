import type { VideoSettings } from './settings.ts'

/** One frame thread, since the bytes depend on the progress of several; `info=0` omits the version of x265. */
const x265Params = (threads: number) => [
  'log-level=error',
  'info=0',
  'open-gop=0',
  'frame-threads=1',
  `pools=${threads}`,
]

/** ffmpeg's output options for x265 without rate control; `params` describe the picture. */
export const x265Args = (
  { preset, threads }: Pick<VideoSettings, 'preset' | 'threads'>,
  params: readonly string[],
): string[] => [
  '-c:v',
  'libx265',
  '-preset',
  preset,
  '-tag:v',
  'hvc1',
  '-forced-idr',
  '1',
  '-x265-params',
  [...x265Params(threads), ...params].join(':'),
]
