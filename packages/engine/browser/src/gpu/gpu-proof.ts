import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool, type SharedPool } from '@vid/kernel'
import { comparePictures } from '@vid/runtime'
import { findDifference } from '../lanes/samples.ts'
import type { Gpu } from '../launch/gpu-guard.ts'
import { decodeScreenshot } from '../pictures/png.ts'
import { openCaptureSession } from '../session/session.ts'
import type { SessionOptions } from '../session/session-options.ts'
import { KNOWN_FRAMES, KNOWN_HEIGHT, KNOWN_WIDTH, knownPage } from './known-page.ts'

/** The browser that tests a GPU. */
export type ProofBrowser = Pick<SessionOptions, 'driver' | 'executable' | 'sandboxMode' | 'signal'>

/** Time limit in milliseconds, so that a hung driver does not delay a render for long. */
const LIVENESS_MS = 10_000

/**
 * Lowest similarity to the processor's picture, in dB. A GPU antialiases edges differently: 46 dB were measured on
 * this page. Content that is missing, misplaced or in wrong colours is far below.
 */
const MIN_PSNR = 40

/** Colours weighted by alpha, since those of nearly transparent pixels do not matter. */
const premultiplied = (rgba: Uint8Array): Uint8Array => {
  const result = rgba.slice()
  for (let index = 0; index < result.length; index += 4) {
    const alpha = rgba[index + 3] ?? 0
    for (let channel = index; channel < index + 3; channel++)
      result[channel] = Math.round(((rgba[channel] ?? 0) * alpha) / 255)
  }
  return result
}

/** Draws the frames of the known page without and with alpha, in the lane that renders use. */
const drawKnown = async (
  browser: ProofBrowser,
  projectDir: string,
  shared: SharedPool,
  gpu: Gpu | undefined,
): Promise<readonly Uint8Array[]> => {
  const pictures: Uint8Array[] = []
  for (const alpha of [false, true]) {
    const session = await openCaptureSession({
      ...browser,
      ...(gpu && { gpu }),
      plan: {
        width: KNOWN_WIDTH,
        height: KNOWN_HEIGHT,
        fps: 30,
        variables: {},
        alpha,
        network: 'none',
        composition: { entry: 'index.html' },
      },
      projectDir,
      shared,
      lane: 'auto',
      livenessMs: LIVENESS_MS,
      sources: { file: () => Promise.reject(new Error('the known page has no media')) },
      warn: () => undefined,
    })
    try {
      const range = { index: 0, start: 0, frames: KNOWN_FRAMES }
      for await (const { format, data } of session.frames(range, ['rgba', 'png']))
        pictures.push(premultiplied(format === 'rgba' ? data : decodeScreenshot(data).data))
    } finally {
      await session.close()
    }
  }
  return pictures
}

/** The result of a GPU test: the lowest similarity to the processor, or the reason of the failure. */
export type GpuProof = { readonly psnr: number } | { readonly reason: string }

/** Draws frames of a known page on a GPU and without it, and compares them. */
export const proveGpu = async (browser: ProofBrowser, gpu: Gpu): Promise<GpuProof> => {
  const projectDir = await mkdtemp(join(tmpdir(), 'vid-known-'))
  const shared = createPool()
  try {
    await writeFile(join(projectDir, 'index.html'), knownPage)
    const drawn = await drawKnown(browser, projectDir, shared, gpu)
    const reference = await drawKnown(browser, projectDir, shared, undefined)
    const wrong = (reason: string) => ({
      reason: `it draws a known page otherwise than the processor: ${reason}`,
    })
    if (drawn.length !== 2 * KNOWN_FRAMES) return wrong('pictures are missing')
    let psnr = Number.POSITIVE_INFINITY
    for (const [index, picture] of drawn.entries()) {
      const other = reference[index]
      if (other?.length !== picture.length) return wrong('another size')
      const shape = { width: KNOWN_WIDTH, height: KNOWN_HEIGHT, planar: false }
      const likeness = comparePictures(picture, other, shape)
      const difference = findDifference(likeness, MIN_PSNR)
      if (difference !== undefined) return wrong(difference)
      psnr = Math.min(psnr, likeness.psnr ?? psnr)
    }
    return { psnr }
  } finally {
    await shared.close()
    await rm(projectDir, { recursive: true, force: true, maxRetries: 3 })
  }
}
