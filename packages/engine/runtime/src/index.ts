import { readFileSync } from 'node:fs'
import type { PageConfig } from './contract/page-config.ts'
import type { PlayerScript } from './contract/player.ts'
import { playerText, scriptJson } from './player-text.ts'
import { workerPrefix } from './worker-prefix.ts'

export type { PageCaptions } from './contract/captions.ts'
export { MAX_CHAPTER_TITLE } from './contract/chapters.ts'
export { type FadeCurve, type GainEnvelope, gainAtTime, gainsAtTimes } from './contract/gain-envelope.ts'
export { comparePictures, type PictureShape } from './contract/likeness.ts'
export type { BlankReport, MediaFacts, MediaShow, PageMedia } from './contract/media.ts'
export type { PageOutline } from './contract/outline.ts'
export type { MediaPackets, PacketConfig, PictureShare } from './contract/packets.ts'
export type { PageBox } from './contract/page-box.ts'
export type { PageConfig, RasterConfig } from './contract/page-config.ts'
export { OPEN_TREES, PAGE_HOST, type PageHost, type PageMethods, type PageObjectMethods } from './contract/page-host.ts'
export { partsOf, type RowBand, type RowLayout, withoutRows } from './contract/picture-rows.ts'
export * from './contract/player.ts'
export type { ProbeReport } from './contract/probe.ts'
export {
  KNOWN_BEFORE,
  type Likeness,
  type RasterAnswer,
  type RasterDrawn,
  type RasterHost,
  type RasterRange,
  type RasterRun,
  type RasterUnfit,
} from './contract/raster.ts'
export type { MissingGlyphs, PageError, PendingPart, ReadyReport } from './contract/readiness.ts'
export { REFRESH_RATE, WINDOW_RATE } from './contract/refresh-rate.ts'
export { readBusVolumes, readSoundAttributes, SOUND_ATTRIBUTES } from './contract/sound-attributes.ts'
export {
  type Adjustments,
  type Colour,
  GRADING_PRESETS,
  type Grading,
  gradeColour,
  readGrading,
} from './grading/grading.ts'
export { createPlanar, isPlanarSize, planarModule } from './planar.ts'
export { playerText } from './player-text.ts'

let bundle: string | undefined
let playerBundle: string | undefined
let worker: string | undefined

/** Adds to a worker's script what makes it follow the clock of the page that starts it. */
export const workerScript = (text: string): string => {
  worker ??= readFileSync(new URL('../dist/worker.js', import.meta.url), 'utf8').trim()
  return workerPrefix(worker, /^[^\S\n\r\u2028\u2029]*(?:import|export)\b\s*[\w{*"']/m.test(text)) + text
}

/** The script to evaluate in every frame of the page, before any script of its own. */
export const pageScript = (config: PageConfig): string => {
  bundle ??= readFileSync(new URL('../dist/page.js', import.meta.url), 'utf8')
  return `(function(__VID_CONFIG__){${bundle}})(${scriptJson(config)});`
}

/** The page script and what lets a player drive it, for a document in a player's iframe: one line of text. */
export const playerScript = (script: PlayerScript): string => {
  playerBundle ??= readFileSync(new URL('../dist/player.js', import.meta.url), 'utf8')
  return playerText(playerBundle, script)
}
