import { createHash } from 'node:crypto'
import os from 'node:os'
import type { RenderPlan, Segment } from '@vid/protocol'
import { canonicalJson } from './plan-identity.ts'

/** Raised when the same inputs begin to give other bytes. */
const LAYOUT = 2

/**
 * The machine, where hardware encodes: encoders of one name make other bytes on other hardware, which may not be
 * joined.
 */
const hardwareOf = ({ encoder, outputs = [] }: RenderPlan): readonly string[] => {
  const encoders = [encoder, ...outputs.map((output) => output.encoder)]
  return encoders.some(({ settings }) => typeof settings.gpu === 'string') ? [os.hostname()] : []
}

/**
 * Parts of a plan that decide what the frames of a segment show, or only what is joined to them; the others decide how
 * frames become files.
 */
const OTHER_PARTS: ReadonlySet<string> = new Set<keyof RenderPlan>([
  'composition',
  'variables',
  'media',
  'audio',
  'loudness',
  'capture',
  'videoFrameFormat',
  'textTracks',
  'chapters',
  'sidecars',
  'poster',
])

/** SHA-256 (hex) of everything except frames that determines a segment's files. */
export const segmentShape = (plan: RenderPlan, { index, start, frames }: Segment): string => {
  const encoding = Object.fromEntries(Object.entries(plan).filter(([part]) => !OTHER_PARTS.has(part)))
  const inputs = [LAYOUT, encoding, { index, start, frames }, ...hardwareOf(plan)]
  return createHash('sha256').update(canonicalJson(inputs)).digest('hex')
}
