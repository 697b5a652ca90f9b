import { createHash } from 'node:crypto'
import type { RenderPlan } from '@vid/protocol'

/** The same data with the keys of its objects sorted. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  // Without a prototype, so that any name may be a key.
  const copy: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(value).sort()) copy[name] = sorted((value as Readonly<Record<string, unknown>>)[name])
  return copy
}

/** JSON of plain data with sorted keys, so that equal plans have equal text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value))

/** By plan, since each page that is taken asks for it, and plans do not change. */
const pageKeys = new WeakMap<RenderPlan, string>()

const makePageKey = (plan: RenderPlan): string => {
  const { composition, width, height, scale, fps, variables, alpha, videoFrameFormat, network, capture } = plan
  return canonicalJson({
    entry: composition.entry,
    shape: composition.shape,
    width,
    height,
    scale,
    fps,
    variables,
    alpha,
    videoFrameFormat,
    network,
    capture,
  })
}

/** Equal for two plans with the same pages, so that one open page can serve both. */
export const pageKey = (plan: RenderPlan): string => {
  const key = pageKeys.get(plan) ?? makePageKey(plan)
  pageKeys.set(plan, key)
  return key
}

/** SHA-256 (hex) of a plan: equal hashes mean equal bytes. */
export const hashPlan = (plan: RenderPlan): string => createHash('sha256').update(canonicalJson(plan)).digest('hex')
