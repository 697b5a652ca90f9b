import { readFileSync } from 'node:fs'
import type { PageConfig } from './contract.ts'
import { workerPrefix } from './worker-prefix.ts'

export type {
  BlankReport,
  Likeness,
  MediaFacts,
  MediaPackets,
  MediaShow,
  MissingLetters,
  PacketConfig,
  PageConfig,
  PageError,
  PageHost,
  PageMedia,
  PendingPart,
  PictureShare,
  ProbeReport,
  RasterAnswer,
  RasterRange,
  RasterRun,
  ReadyReport,
} from './contract.ts'

export {
  ADJUSTMENT_LIMITS,
  type Adjustments,
  type Colour,
  GRADING_PRESETS,
  type Grading,
  gradeColour,
  readGrading,
} from './grading/grading.ts'

export { createPlanar, isPlanarSize, planarModule, straighten } from './planar.ts'

let bundle: string | undefined
let worker: string | undefined

/** Text of a worker's script that follows the clock of the page that starts it. */
export const workerScript = (text: string): string => {
  worker ??= readFileSync(new URL('../dist/worker.js', import.meta.url), 'utf8').trim()
  return workerPrefix(worker, /^\s*(?:import|export)\b\s*[\w{*"']/m.test(text)) + text
}

/** Text to evaluate before any script of the page, in every frame of it. */
export const pageScript = (config: PageConfig): string => {
  bundle ??= readFileSync(new URL('../dist/page.js', import.meta.url), 'utf8')
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return `(function(__VID_CONFIG__){${bundle}})(${json});`
}
