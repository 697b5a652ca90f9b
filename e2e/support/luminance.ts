import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { findFfmpeg, nitsToPq, pqToNits, QUIET, runProcess, sceneToHlg, startProcess } from '@vid/ffmpeg'

/** Size of the source and of the compositions around it. */
export const WIDTH = 320
export const HEIGHT = 180
/** Luminance of the source's four columns in cd/m²; all grey. */
export const COLUMNS = [100, 203, 600, 1000] as const
/** Horizontal position at which a column is measured. */
export const columnX = (column: number): number => column * 80 + 40
/** Mastering display of the sources. */
export const MASTERING = 'G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)'

export type Curve = 'pq' | 'hlg'
const TRANSFERS = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

const signalOf = (curve: Curve, nits: number): number =>
  curve === 'pq' ? nitsToPq(nits) : sceneToHlg((nits / 1000) ** (1 / 1.2))
const nitsOf = (curve: Curve, signal: number): number => {
  if (curve === 'pq') return pqToNits(signal)
  const a = 0.17883277
  const b = 0.28466892
  const c = 0.55991073
  return 1000 * (signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12) ** 1.2
}

/** Writes a source of half a second that is what a camera or a grading suite would give. */
export const writeSource = async (file: string, curve: Curve): Promise<void> => {
  const { ffmpeg } = await findFfmpeg()
  const picture = new Uint16Array(WIDTH * HEIGHT * 1.5).fill(512)
  for (let index = 0; index < WIDTH * HEIGHT; index++)
    picture[index] = Math.round(64 + 876 * signalOf(curve, COLUMNS[Math.floor((index % WIDTH) / 80)] ?? 0))
  const raw = join(dirname(file), 'source.raw')
  const bytes = Buffer.from(picture.buffer)
  await writeFile(raw, Buffer.concat(Array.from({ length: 15 }, () => bytes)))
  const hdrParams = curve === 'pq' ? [`master-display=${MASTERING}`, 'max-cll=1000,300'] : []
  const params = ['log-level=error', 'lossless=1', 'colorprim=bt2020', `transfer=${TRANSFERS[curve]}`]
  const tags = ['-color_primaries', 'bt2020', '-color_trc', TRANSFERS[curve], '-colorspace', 'bt2020nc']
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-s', `${WIDTH}x${HEIGHT}`, '-r', '30']
  const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-color_range', 'tv']
  const all = [...params, 'colormatrix=bt2020nc', 'range=limited', ...hdrParams].join(':')
  const args = [...input, '-i', raw, ...codec, ...tags, '-x265-params', all, '-y', file]
  await runProcess(ffmpeg, ['-v', 'error', ...args], undefined)
}

/** Luminance in cd/m² and chroma of an HDR video at points of its frame 1. */
export const luminanceAt = async (file: string, curve: Curve, points: readonly (readonly [number, number])[]) => {
  const { ffmpeg } = await findFfmpeg()
  const pick = ['-vf', 'select=eq(n\\,1)', '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', 'pipe:1']
  const child = startProcess(ffmpeg, [...QUIET, '-i', file, ...pick], undefined)
  child.stdin.end()
  const [bytes] = await Promise.all([buffer(child.stdout), child.finished])
  const samples = new Uint16Array(new Uint8Array(bytes).buffer)
  return points.map(([x, y]) => {
    const chroma = WIDTH * HEIGHT + (y >> 1) * (WIDTH / 2) + (x >> 1)
    return {
      nits: nitsOf(curve, ((samples[y * WIDTH + x] ?? 0) - 64) / 876),
      cb: samples[chroma] ?? 0,
      cr: samples[chroma + (WIDTH * HEIGHT) / 4] ?? 0,
    }
  })
}
