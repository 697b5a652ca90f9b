import { writeFile } from 'node:fs/promises'
import type { Hdr, MediaPicture } from '@vid/protocol'
import {
  hlgToScene,
  linearToSrgb,
  pqToNits,
  type Rgb,
  SDR_WHITE_NITS,
  sceneToNits,
  to709,
  toneMap,
} from '../probe/transfer-functions.ts'

/** How frames of an HDR source are converted for a page, where nothing is brighter than sRGB white. */
export interface SdrView {
  readonly transfer: NonNullable<MediaPicture['hdr']>
  /**
   * `sdr`: tone-mapped to bt709. `hdr`: bt2020 on an extended sRGB curve, darkened so that `peak` becomes white;
   * `hdrPainter` brightens it again.
   */
  readonly range: 'sdr' | 'hdr'
  /** Peak luminance of the source, cd/m². */
  readonly peak: number
}

/** Signal of a peak luminance on the extended sRGB curve. */
export const peakSignal = (peak: number): number => linearToSrgb(peak / SDR_WHITE_NITS)

/** The view of a source in a plan; undefined for an SDR source. */
export const sdrViewOf = (
  { hdr: transfer, peak = 1000 }: Pick<MediaPicture, 'hdr' | 'peak'>,
  hdr: Hdr | undefined,
): SdrView | undefined =>
  transfer && (hdr ? { transfer, range: 'hdr', peak: hdr.peak } : { transfer, range: 'sdr', peak })

const nitsOf = (transfer: SdrView['transfer'], [r, g, b]: Rgb): Rgb =>
  transfer === 'pq'
    ? [pqToNits(r), pqToNits(g), pqToNits(b)]
    : sceneToNits([hlgToScene(r), hlgToScene(g), hlgToScene(b)])

/** Converts a signal of the source to the sRGB signal that the page gets. */
export const viewSignal = ({ transfer, range, peak }: SdrView, signal: Rgb): Rgb => {
  const nits = nitsOf(transfer, signal)
  if (range === 'hdr') {
    const brightest = peakSignal(peak)
    // Not limited to 1: interpolation between the entries of the LUT would darken the values below.
    const show = (luminance: number) => linearToSrgb(luminance / SDR_WHITE_NITS) / brightest
    return [show(nits[0]), show(nits[1]), show(nits[2])]
  }
  // One gain for all three channels keeps the hue.
  const brightest = Math.max(...nits)
  const gain = brightest > 0 ? toneMap(brightest, peak) / brightest / SDR_WHITE_NITS : 0
  const [r, g, b] = to709([nits[0] * gain, nits[1] * gain, nits[2] * gain])
  const show = (linear: number) => linearToSrgb(Math.min(1, Math.max(0, linear)))
  return [show(r), show(g), show(b)]
}

/** Entries of the LUT per channel; old versions of ffmpeg accept at most 64. */
const STEPS = 48

/** A view as a 3D LUT in the `.cube` format. Every build of ffmpeg has the `lut3d` filter, with equal results. */
export const lutText = (view: SdrView): string => {
  const lines = [`LUT_3D_SIZE ${STEPS}`]
  const signalOf = (step: number) => step / (STEPS - 1)
  for (let b = 0; b < STEPS; b++)
    for (let g = 0; g < STEPS; g++)
      for (let r = 0; r < STEPS; r++)
        lines.push(
          viewSignal(view, [signalOf(r), signalOf(g), signalOf(b)])
            .map((value) => value.toFixed(6))
            .join(' '),
        )
  return `${lines.join('\n')}\n`
}

/** Escapes a path twice: for the filter's option and for the filter graph around it. */
const escapePath = (path: string) => path.replace(/[\\':]/g, String.raw`\$&`).replace(/[\\'[\],;]/g, String.raw`\$&`)

/** Writes the LUT of a view and returns the filter that applies it to `rgb48le`. */
export const writeLut = async (view: SdrView, path: string): Promise<string> => {
  await writeFile(path, lutText(view))
  return `lut3d=file=${escapePath(path)}:interp=tetrahedral`
}
