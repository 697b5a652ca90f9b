// One try: a composition with a fault, captured as a render captures the segment that the fault begins in.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { comparePictures } from '@vid/runtime'
import { findProjectFile } from '@vid/system'
import { decodePng } from '@vid/testkit'
import puppeteer from '../../../plugins/capture-puppeteer/dist/index.js'
import { path } from '../../../scripts/workspaces.mjs'
import { plantFault } from './plant.mjs'

const SEGMENT = 120

/** What is a fault: the same limits as where a sampled frame is refused. */
const isFault = ({ psnr, worstBlock }) => (psnr !== null && psnr < 45) || worstBlock > 40

const open = async (projectDir, { entry, width, height, frames }, { shared, signal }) => {
  const capture = puppeteer({ lane: 'auto' })
  const warnings = []
  const plan = {
    width,
    height,
    fps: 30,
    frames,
    variables: {},
    alpha: false,
    composition: { entry },
    media: [],
    audio: [],
    capture: { settings: { raster: 'native' } },
  }
  const session = await capture.open(plan, {
    options: capture.options,
    projectDir,
    sources: { file: (source) => findProjectFile(projectDir, source) },
    signal,
    shared,
    warn: (warning) => warnings.push(warning),
    note: () => {},
    log: () => {},
  })
  return { session, warnings, plan }
}

/** The size of a composition, by the text of its root; undefined for a text without one. */
const sizeOf = (html) => {
  const [width, height] = ['width', 'height'].map((name) => Number(new RegExp(`data-${name}="(\\d+)"`).exec(html)?.[1]))
  return width && height ? { width, height } : undefined
}

/** The composition of a file as what is captured; undefined if it is not captured by the raster lane, or has no end. */
export const openTarget = async (file, context) => {
  const size = sizeOf(readFileSync(file, 'utf8'))
  if (!size) return undefined
  const target = { folder: dirname(file), entry: basename(file), ...size, frames: 1 }
  const { session } = await open(target.folder, target, context)
  try {
    const { duration } = await session.probe()
    const frames = Math.round((duration ?? 0) * 30)
    return session.lane() === 'raster' && frames > 2 && frames < 1e5 ? { ...target, frames } : undefined
  } finally {
    await session.close()
  }
}

/** Whether the raster lane draws a frame wrongly: a fault may lie behind something, or outside of the picture. */
const isWrong = async ({ session, plan }, frame) => {
  const shown = await session.showPixels(frame, plan)
  const { data } = decodePng(await (await session.show(frame, plan)).picture())
  return isFault(comparePictures(await shown.pixels(), data, { ...plan, planar: false }))
}

const captureSegment = async (opened, first, frames) => {
  const start = Math.floor(first / SEGMENT) * SEGMENT
  const range = { index: 0, start, frames: Math.min(SEGMENT, frames - start) }
  try {
    for await (const _frame of opened.session.frames(range, ['yuv420p', 'rgba', 'png'], opened.plan));
    return undefined
  } catch (error) {
    if (error.code === 'VID_LANE_UNFIT') return Number(/frame (\d+) of the fastest/.exec(error.message)?.[1])
    throw error
  }
}

/** Plants a fault and captures: 'found', 'missed', 'crashed', or 'none' where it is no fault of the page that is captured. */
export const tryFault = async (target, fault, context) => {
  const projectDir = join(mkdtempSync(join(tmpdir(), 'planted-')), 'project')
  const { entry, folder, frames } = target
  try {
    cpSync(folder, projectDir, { recursive: true, filter: (file) => basename(file) !== 'node_modules' })
    symlinkSync(path('node_modules'), join(projectDir, 'node_modules'))
    writeFileSync(join(projectDir, entry), plantFault(readFileSync(join(folder, entry), 'utf8'), fault))
    const opened = await open(projectDir, target, context)
    try {
      const refused = await captureSegment(opened, fault.first, frames)
      if (refused !== undefined) return refused >= fault.first && refused < fault.end ? 'found' : 'none'
      if (opened.warnings.some(({ code }) => code === 'VID_LANE_FALLBACK')) return 'none'
      return (await isWrong(opened, fault.first)) ? 'missed' : 'none'
    } finally {
      await opened.session.close()
    }
  } catch (error) {
    // The render fails, so that nobody gets a wrong picture.
    if (error.code === 'VID_PAGE_CRASHED') return 'crashed'
    throw error
  } finally {
    rmSync(dirname(projectDir), { recursive: true, force: true })
  }
}
