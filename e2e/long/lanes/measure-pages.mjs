// Pages of one folder in a lane, compared with screenshots in every frame.
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPool } from '@vid/kernel'
import { compareLanes } from './compare-lanes.mjs'

/** Similarity of each frame to its screenshot, in dB. */
const MIN_PSNR = 45
const FPS = 30
const MAX_PAGE_MS = 180_000

/** A page as a composition: its size and number of frames are in its markup. */
const pageOf = (projectDir, entry) => {
  const html = readFileSync(join(projectDir, entry), 'utf8')
  const [width, height, seconds] = ['width', 'height', 'duration'].map((name) =>
    Number(new RegExp(`data-${name}="([\\d.]+)"`).exec(html)[1]),
  )
  return { projectDir, entry, width, height, fps: FPS, frames: Math.round(seconds * FPS) }
}

const decibels = (psnr) => (psnr === Infinity ? 'equal' : `${psnr.toFixed(1)} dB`)

const describe = ({ name, lane, frames, ms, likeness, reasons, warnings, error }) => {
  if (error !== undefined) return `${name.padEnd(28)} failed: ${error}`
  const { psnr, exactPsnr, frame, worstBlock } = likeness
  const times = `${ms.chosen.toFixed(0).padStart(4)} and ${ms.screenshots.toFixed(0).padStart(4)} ms`
  const worst = `${decibels(psnr)}, edges ${decibels(exactPsnr)}, block ${worstBlock.toFixed(1)}, frame ${frame}`
  const line = `${name.padEnd(28)} ${lane.padEnd(11)} ${frames} frames ${times}, ${worst}`
  return [line, ...reasons, ...warnings].join('\n    ')
}

/** Measures pages of a folder and prints each; `names` leaves out the ending of the files. */
export const measurePages = async ({ folder, names, lane }) => {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())
  setMaxListeners(0, stop.signal)
  const shared = createPool()
  const rows = []
  try {
    for (const name of names) {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(MAX_PAGE_MS)])
      const measuring = compareLanes(lane, pageOf(folder, `${name}.html`), { shared, signal })
      rows.push({ name, ...(await measuring.catch(({ message }) => ({ error: message }))) })
      stop.signal.throwIfAborted()
      console.log(describe(rows.at(-1)))
    }
  } finally {
    await shared.close()
  }
  const fast = rows.filter((row) => row.lane === 'raster').length
  const wrong = rows.filter(({ likeness }) => !likeness || likeness.psnr < MIN_PSNR).length
  const share = (fast / rows.length) * 100
  console.log(
    `\n${fast} of ${rows.length} pages (${share.toFixed(1)} %) in the raster lane; ${wrong} unlike their screenshots`,
  )
  return { rows, share, wrong }
}
