import { writeFile } from 'node:fs/promises'
import type { Hdr, MediaPicture } from '@vid/kernel'
import {
  hlgToScene,
  type Light,
  linearToSrgb,
  pqToNits,
  sceneToNits,
  to709,
  toneMap,
  WHITE,
} from './transfer-functions.ts'

/** How frames of an HDR source are shown in a page, which knows no light above white. */
export interface LightLook {
  readonly transfer: NonNullable<MediaPicture['hdr']>
  /**
   * `sdr`: tone-mapped to bt709. `hdr`: in bt2020, by an sRGB curve that goes on above white, and darkened so that
   * `peak` becomes white; `lightPicture` brightens it again.
   */
  readonly range: 'sdr' | 'hdr'
  /** Brightest light of the source, cd/m². */
  readonly peak: number
}

/** Signal of `peak` on the sRGB curve that goes on above white. */
export const headroom = (peak: number): number => linearToSrgb(peak / WHITE)

/** The look of a source under a plan; undefined for one that is no HDR. */
export const lookOf = (
  { hdr: transfer, peak = 1000 }: Pick<MediaPicture, 'hdr' | 'peak'>,
  hdr: Hdr | undefined,
): LightLook | undefined =>
  transfer && (hdr ? { transfer, range: 'hdr', peak: hdr.peak } : { transfer, range: 'sdr', peak })

const nitsOf = (transfer: LightLook['transfer'], [r, g, b]: Light): Light =>
  transfer === 'pq'
    ? [pqToNits(r), pqToNits(g), pqToNits(b)]
    : sceneToNits([hlgToScene(r), hlgToScene(g), hlgToScene(b)])

/** What the page is given for a signal of the source. */
export const lookAt = ({ transfer, range, peak }: LightLook, signal: Light): Light => {
  const nits = nitsOf(transfer, signal)
  if (range === 'hdr') {
    const whole = headroom(peak)
    // Not cut at 1: between the steps of a table, that would darken what lies below.
    const show = (light: number) => linearToSrgb(light / WHITE) / whole
    return [show(nits[0]), show(nits[1]), show(nits[2])]
  }
  // The same gain for all three keeps the hue.
  const most = Math.max(...nits)
  const gain = most > 0 ? toneMap(most, peak) / most / WHITE : 0
  const [r, g, b] = to709([nits[0] * gain, nits[1] * gain, nits[2] * gain])
  const show = (light: number) => linearToSrgb(Math.min(1, Math.max(0, light)))
  return [show(r), show(g), show(b)]
}

/** Steps of each channel; old ffmpegs take no more than 64. */
const STEPS = 48

/** A look as a table for ffmpeg's `lut3d`, which every build has and which computes alike in all of them. */
export const lookTable = (look: LightLook): string => {
  const lines = [`LUT_3D_SIZE ${STEPS}`]
  const at = (step: number) => step / (STEPS - 1)
  for (let b = 0; b < STEPS; b++)
    for (let g = 0; g < STEPS; g++)
      for (let r = 0; r < STEPS; r++)
        lines.push(
          lookAt(look, [at(r), at(g), at(b)])
            .map((value) => value.toFixed(6))
            .join(' '),
        )
  return `${lines.join('\n')}\n`
}

/** A path inside an option of a filter inside a graph. */
const escapePath = (path: string) =>
  path.replace(/[\\':]/g, String.raw`\$&`).replace(/[\\'[\],;]/g, String.raw`\$&`)

/** Writes the table of a look and gives the filter that applies it to `rgb48le`. */
export const writeLook = async (look: LightLook, path: string): Promise<string> => {
  await writeFile(path, lookTable(look))
  return `lut3d=file=${escapePath(path)}:interp=tetrahedral`
}
